import { Checkbox, TextInput } from '@mantine/core'
import m from '../../../messages/en/ldap.json'
import { CaCertificateInput } from '../../../ui/form/ca-certificate-input'
import { SecretInput } from '../../../ui/form/secret-input'
import { technical } from '../../../ui/form/technical'
import { TileChoice } from '../../../ui/form/tile-choice'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { VendorLogo } from '../../../ui/values/vendor-logo'
import { isPlain, type LdapForm } from './ldap-form'
import type { Preset } from './presets'

const presetOptions = [
  {
    value: 'active-directory',
    picture: <VendorLogo logo="microsoft" name={m.presetActiveDirectory()} />,
    name: m.presetActiveDirectory(),
    text: m.presetActiveDirectoryHelp(),
  },
  {
    value: 'openldap',
    picture: <VendorLogo name={m.presetOpenldap()} />,
    name: m.presetOpenldap(),
    text: m.presetOpenldapHelp(),
  },
] as const

/** The server, its encryption and the account with which it is read. */
export function ConnectionFields({ form, isNew }: { form: LdapForm; isNew: boolean }) {
  return (
    <Panel title={m.connection()} about={m.connectionHelp()}>
      <div className={`${stack.wide} ${stack.fields}`}>
        <TileChoice
          field="preset"
          legend={m.preset()}
          options={presetOptions}
          value={form.values.preset as Preset}
          choose={(preset) => form.setFieldValue('preset', preset)}
        />
        <div className={stack.columns}>
          <TextInput
            {...technical}
            label={m.url()}
            description={m.urlHelp()}
            inputMode="url"
            placeholder="ldaps://ldap.example.com"
            maxLength={500}
            required
            {...form.getInputProps('ldapUrl')}
          />
          <TextInput
            {...technical}
            label={m.baseDn()}
            description={m.baseDnHelp()}
            placeholder="dc=example,dc=com"
            maxLength={1000}
            required
            {...form.getInputProps('ldapBaseDn')}
          />
        </div>
        {/* In the document before its content, so that the content is announced. */}
        <div aria-live="polite">
          {isPlain(form.values) && (
            <Notice kind="warning" title={m.plain()}>
              <p>{m.plainHelp()}</p>
            </Notice>
          )}
        </div>
        <Checkbox
          label={m.startTls()}
          description={m.startTlsHelp()}
          {...form.getInputProps('startTls', { type: 'checkbox' })}
        />
        <div className={stack.columns}>
          <TextInput
            {...technical}
            label={m.bindDn()}
            description={m.bindDnHelp()}
            placeholder="cn=reader,dc=example,dc=com"
            maxLength={1000}
            required
            {...form.getInputProps('ldapBindDn')}
          />
          <SecretInput
            label={m.password()}
            description={isNew ? m.passwordOnce() : m.passwordUnchanged()}
            maxLength={1000}
            required={isNew}
            {...form.getInputProps('ldapBindPassword')}
          />
        </div>
        <CaCertificateInput
          label={m.ca()}
          help={m.caHelp()}
          input={form.getInputProps('caCertificate')}
          load={(pem) => form.setFieldValue('caCertificate', pem)}
        />
      </div>
    </Panel>
  )
}
