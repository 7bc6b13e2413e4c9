import { Checkbox, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/sign-in-providers.json'
import { DeletePanel } from '../../../ui/dialogs/delete-panel'
import { CaCertificateInput } from '../../../ui/form/ca-certificate-input'
import { SaveBar } from '../../../ui/form/save-bar'
import { technical } from '../../../ui/form/technical'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { WriteGate } from '../../applications/write-gate'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { useProviderWrites } from '../mutations'
import { OidcFields } from './oidc-fields'
import { SamlFields } from './saml-fields'
import { type SettingsValues, settingsChanges, settingsSchema, settingsValues, writeOnly } from './settings-form'

/** The settings of a provider, and its deletion. */
export function SettingsPage() {
  const { me } = useCurrentTeam()
  return (
    <>
      <WriteGate permission="sso:write" text={m.readOnly()}>
        <SettingsForm />
      </WriteGate>
      {me.permissions.includes('sso:write') && <Delete />}
    </>
  )
}

const OPTIONS = [
  ['autoProvision', m.autoProvision, m.autoProvisionHelp],
  ['trustsEmail', m.trustsEmail, m.trustsEmailHelp],
  ['trustsMfa', m.trustsMfa, m.trustsMfaHelp],
  ['allowIdpInitiated', m.allowIdpInitiated, m.allowIdpInitiatedHelp],
] as const

function SettingsForm() {
  const provider = useCurrentProvider()
  // The state with which the form was filled: changes by others meanwhile are not changes of this form.
  const [saved, setSaved] = useState(provider)
  const { change } = useProviderWrites(() => common.saved())
  const { form, problem, busy, changes, discard, onSubmit } = useSchemaForm<SettingsValues>({
    schema: settingsSchema(saved),
    initial: settingsValues(saved),
    send: async (values) => setSaved(await change.mutateAsync(settingsChanges(saved, values))),
    resetFields: writeOnly,
    mode: 'controlled',
  })
  const hidden = provider.protocol === 'SAML2' ? 'trustsEmail' : 'allowIdpInitiated'
  return (
    <form onSubmit={onSubmit} noValidate className={stack.parts} aria-label={m.tab({ tab: 'settings' })}>
      <Panel title={m.connection()}>
        <div className={`${stack.wide} ${stack.fields}`}>
          <TextInput
            label={m.name()}
            description={m.nameHelp()}
            maxLength={100}
            autoComplete="off"
            required
            {...form.getInputProps('name')}
          />
          {provider.protocol === 'OIDC' ? <OidcFields form={form} /> : <SamlFields form={form} />}
          <CaCertificateInput
            label={m.ca()}
            help={m.caHelp()}
            input={form.getInputProps('caCertificate')}
            load={(pem) => form.setFieldValue('caCertificate', pem)}
          />
        </div>
      </Panel>
      <Panel title={m.access()}>
        <div className={`${stack.wide} ${stack.parts}`}>
          <TextInput
            {...technical}
            label={m.domains()}
            description={m.domainsHelp()}
            placeholder="example.com"
            {...form.getInputProps('allowedDomains')}
          />
          {OPTIONS.filter(([option]) => option !== hidden).map(([option, label, help]) => (
            <Checkbox
              key={option}
              label={label()}
              description={help()}
              {...form.getInputProps(option, { type: 'checkbox' })}
            />
          ))}
        </div>
      </Panel>
      <SaveBar changes={changes} busy={busy} problem={problem} discard={discard} />
    </form>
  )
}

function Delete() {
  const { team } = useCurrentTeam()
  const { name } = useCurrentProvider()
  const navigate = useNavigate()
  const { remove } = useProviderWrites()
  return (
    <DeletePanel
      title={m.delete()}
      about={m.deleteHelp()}
      question={m.deleteTitle({ name })}
      consequences={m.deleteConsequences({ name }).split('\n')}
      name={name}
      verb={m.delete()}
      act={() => remove.mutateAsync()}
      done={() => navigate({ to: '/t/$slug/sso', params: { slug: team.slug }, replace: true })}
    />
  )
}
