import type { LdapDirectory } from '../../../api/contract'
import { CaCertificateField } from '../../../ui/form/ca-certificate-field'
import { ChoiceList } from '../../../ui/form/choice-list'
import { Field } from '../../../ui/form/field'
import { PasswordField } from '../../../ui/form/password-field'
import { TileChoice } from '../../../ui/form/tile-choice'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { ldapWords as words } from '../../../words'
import { type Preset, presets } from './presets'

interface Props {
  saved: LdapDirectory | null
  preset: Preset
  choosePreset: (preset: Preset) => void
  errors: Partial<Record<string, string>>
  /** what is typed would go over the network in the clear */
  plain: boolean
  /** how often it was saved: the field of the password begins anew */
  saves: number
}

const plainText = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** Where the directory is, how it is spoken to, and as whom. */
export function ConnectionFields({ saved, preset, choosePreset, errors, plain, saves }: Props) {
  return (
    <Panel title={words.connection}>
      <div className={`${stack.wide} ${stack.fields}`}>
        <TileChoice
          field="preset"
          legend={words.preset}
          options={presets.map((value) => ({ value, icon: 'server' as const, ...words.presets[value] }))}
          value={preset}
          choose={choosePreset}
        />
        <Field
          {...plainText}
          name="ldapUrl"
          label={words.url}
          hint={words.urlHint}
          inputMode="url"
          placeholder="ldaps://ldap.example.com"
          defaultValue={saved?.ldapUrl}
          maxLength={500}
          error={errors.ldapUrl}
          required
        />
        {/* It is there before it speaks, so that it is heard. */}
        <div aria-live="polite">
          {plain && (
            <Notice kind="warning" title={words.plain}>
              <p>{words.plainText}</p>
            </Notice>
          )}
        </div>
        <ChoiceList
          legend={words.encryption}
          name="startTls"
          chosen={saved?.startTls ? ['on'] : []}
          choices={[{ value: 'on', title: words.startTls, about: words.startTlsAbout }]}
          error={errors.startTls}
        />
        <CaCertificateField words={words} saved={saved?.caCertificate} error={errors.caCertificate} />
        <Field
          {...plainText}
          name="ldapBindDn"
          label={words.bindDn}
          hint={words.bindDnHint}
          placeholder="cn=reader,dc=example,dc=com"
          defaultValue={saved?.ldapBindDn}
          maxLength={1000}
          error={errors.ldapBindDn}
          required
        />
        <PasswordField
          key={saves}
          name="ldapBindPassword"
          label={words.password}
          hint={saved ? words.passwordUnchanged : words.passwordOnce}
          autoComplete="new-password"
          maxLength={1000}
          required={!saved}
          error={errors.ldapBindPassword}
        />
        <Field
          {...plainText}
          name="ldapBaseDn"
          label={words.baseDn}
          placeholder="dc=example,dc=com"
          defaultValue={saved?.ldapBaseDn}
          maxLength={1000}
          error={errors.ldapBaseDn}
          required
        />
      </div>
    </Panel>
  )
}
