import { useState } from 'react'
import { announce } from '../../../ui/announcer'
import { CaCertificateField } from '../../../ui/form/ca-certificate-field'
import { ChoiceList } from '../../../ui/form/choice-list'
import { Field } from '../../../ui/form/field'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { RowsField } from '../../../ui/form/rows-field'
import { SaveButton } from '../../../ui/form/save-button'
import { useForm } from '../../../ui/form/use-form'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { useUnsaved } from '../../../ui/unsaved'
import { formWords, ssoWords as words } from '../../../words'
import { WriteGate } from '../../applications/write-gate'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { changeProvider } from '../queries'
import { OidcFields } from './oidc-fields'
import { SamlFields } from './saml-fields'
import { settingNames, settingsChanges, wrongSettings } from './settings-form'

export function SettingsPage() {
  return (
    <WriteGate permission="sso:write" text={words.readOnly}>
      <SettingsForm />
    </WriteGate>
  )
}

function SettingsForm() {
  const { team } = useCurrentTeam()
  const provider = useCurrentProvider()
  const [saves, setSaves] = useState(0)
  const { form, errors, problem, busy, dirty, touch } = useForm({
    names: settingNames,
    check: (values) => wrongSettings(provider, values),
    send: async (values) => {
      await changeProvider(team.id, provider.id, settingsChanges(provider, values))
    },
    saved: () => {
      setSaves((count) => count + 1)
      announce(formWords.saved)
    },
    focusOnRefusal: 'name',
  })
  useUnsaved(dirty)
  const options = (['autoProvision', 'trustsEmail', 'trustsMfa', 'allowIdpInitiated'] as const).filter((option) =>
    provider.protocol === 'SAML2' ? option !== 'trustsEmail' : option !== 'allowIdpInitiated',
  )
  return (
    <form {...form} className={stack.parts} aria-label={words.tabs.settings}>
      <Panel title={words.connection}>
        <div className={`${stack.wide} ${stack.fields}`}>
          <Field
            name="name"
            label={words.name}
            hint={words.nameHint}
            defaultValue={provider.name}
            maxLength={100}
            autoComplete="off"
            error={errors.name}
            required
          />
          {/* A secret that was saved is not kept in its field. */}
          {provider.protocol === 'OIDC' ? (
            <OidcFields key={saves} errors={errors} touch={touch} />
          ) : (
            <SamlFields key={saves} errors={errors} />
          )}
          <CaCertificateField words={words} saved={provider.caCertificate} error={errors.caCertificate} />
        </div>
      </Panel>
      <Panel title={words.who}>
        <div className={`${stack.wide} ${stack.parts}`}>
          <RowsField
            name="allowedDomains"
            legend={words.domains}
            optional={words.optional}
            hint={words.domainsHint}
            rowLabel={words.domain}
            initial={provider.allowedDomains}
            errors={errors}
            touch={touch}
            placeholder="example.com"
          />
          <ChoiceList
            legend={words.options}
            name="options"
            chosen={options.filter((option) => provider[option])}
            choices={options.map((value) => ({ value, title: words[value], about: words[`${value}About`] }))}
          />
        </div>
      </Panel>
      <ProblemMessage problem={problem} />
      <SaveButton busy={busy} dirty={dirty} saved={saves > 0} />
    </form>
  )
}
