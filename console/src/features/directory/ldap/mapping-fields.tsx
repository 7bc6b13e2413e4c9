import { TextInput } from '@mantine/core'
import { useState } from 'react'
import m from '../../../messages/en/ldap.json'
import { technical } from '../../../ui/form/technical'
import stack from '../../../ui/layout/stack.module.css'
import { More } from '../../../ui/page/more'
import { Panel } from '../../../ui/page/panel'
import type { LdapForm } from './ldap-form'
import { defaultAttributes, defaultFilters, type LdapField, ldapFields, type Preset } from './presets'

/** The imported entries, and the attributes that fill the profile. */
export function MappingFields({ form }: { form: LdapForm }) {
  const filters = defaultFilters[form.values.preset as Preset]
  const [isOpen, setOpen] = useState(() => ldapFields.some((field) => form.values[field] !== ''))
  if (!isOpen && ldapFields.some((field) => form.errors[field])) setOpen(true)
  return (
    <Panel title={m.mapping()} about={m.mappingHelp()}>
      <div className={stack.fields}>
        <div className={`${stack.wide} ${stack.fields}`}>
          <TextInput
            {...technical}
            label={m.userFilter()}
            description={m.filterHelp({ filter: filters.users })}
            maxLength={2000}
            {...form.getInputProps('ldapUserFilter')}
          />
          <TextInput
            {...technical}
            label={m.groupFilter()}
            description={m.filterHelp({ filter: filters.groups })}
            maxLength={2000}
            {...form.getInputProps('ldapGroupFilter')}
          />
          <TextInput
            {...technical}
            label={m.pageSize()}
            description={m.pageSizeHelp()}
            inputMode="numeric"
            {...form.getInputProps('pageSize')}
          />
        </div>
        <More summary={m.attributes()} open={isOpen}>
          <div className={stack.fields}>
            <p className={`${stack.dimmed} ${stack.small}`}>{m.attributesHelp()}</p>
            <div className={stack.columns}>
              {ldapFields.map((field) => (
                <TextInput
                  {...technical}
                  key={field}
                  label={m.field({ field })}
                  description={defaultsOf(field)}
                  {...form.getInputProps(field)}
                />
              ))}
            </div>
          </div>
        </More>
      </div>
    </Panel>
  )
}

function defaultsOf(field: LdapField) {
  const names = defaultAttributes[field]
  return names.length > 0 ? m.attributesDefault({ names: names.join(', ') }) : m.attributesNone()
}
