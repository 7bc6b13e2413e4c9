import { Field } from '../../../ui/form/field'
import { More } from '../../../ui/more'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { useOnceTrue } from '../../../ui/use-once-true'
import { ldapWords as words } from '../../../words'
import type { filledWith } from './ldap-form'
import { type LdapField, ldapFields, type Preset, usualAttributes, usualFilters } from './presets'

interface Props {
  filled: ReturnType<typeof filledWith>
  preset: Preset
  errors: Partial<Record<string, string>>
}

const plainText = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** Who and what is read of the directory, and which attribute fills which field. */
export function ReadingFields({ filled, preset, errors }: Props) {
  const usual = usualFilters[preset]
  const isOpen = useOnceTrue(ldapFields.some((field) => filled.mapping(field) !== '' || errors[field] !== undefined))
  return (
    <Panel title={words.what}>
      <div className={stack.fields}>
        <div className={`${stack.wide} ${stack.fields}`}>
          <Field
            {...plainText}
            name="ldapUserFilter"
            label={words.userFilter}
            optional={words.optional}
            hint={words.filterHint(usual.users)}
            defaultValue={filled.ldapUserFilter}
            maxLength={2000}
            error={errors.ldapUserFilter}
          />
          <Field
            {...plainText}
            name="ldapGroupFilter"
            label={words.groupFilter}
            optional={words.optional}
            hint={words.filterHint(usual.groups)}
            defaultValue={filled.ldapGroupFilter}
            maxLength={2000}
            error={errors.ldapGroupFilter}
          />
          <Field
            {...plainText}
            name="pageSize"
            label={words.pageSize}
            optional={words.optional}
            hint={words.pageSizeHint}
            inputMode="numeric"
            defaultValue={filled.pageSize}
            error={errors.pageSize}
          />
        </div>
        <More summary={words.mapping} open={isOpen}>
          <div className={stack.fields}>
            <p className={`${stack.dimmed} ${stack.small}`}>{words.mappingAbout}</p>
            <div className={stack.columns}>
              {ldapFields.map((field) => (
                <Field
                  {...plainText}
                  key={field}
                  name={field}
                  label={words.field(field)}
                  hint={hintOf(field)}
                  defaultValue={filled.mapping(field)}
                  error={errors[field]}
                />
              ))}
            </div>
          </div>
        </More>
      </div>
    </Panel>
  )
}

function hintOf(field: LdapField) {
  const names = usualAttributes[field]
  return names.length > 0 ? words.mappingUsual(names.join(', ')) : words.mappingNone
}
