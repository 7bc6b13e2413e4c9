import { useState } from 'react'
import type { Application } from '../../api/contract'
import m from '../../messages/en/form.json'
import { announce } from '../../ui/announcer'
import { Field } from '../../ui/form/field'
import { ProblemMessage } from '../../ui/form/problem-message'
import { RowsField } from '../../ui/form/rows-field'
import { SaveButton } from '../../ui/form/save-button'
import { TextArea } from '../../ui/form/text-area'
import { useForm } from '../../ui/form/use-form'
import { Panel } from '../../ui/panel'
import stack from '../../ui/stack.module.css'
import { useUnsaved } from '../../ui/unsaved'
import { applicationWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { isForPeople } from './application-kind'
import { useCurrentApplication } from './current-application'
import { PermissionsPanel } from './permissions-panel'
import { ProofsPanel } from './proofs-panel'
import { changeApplication } from './queries'
import { settingNames, settingsChanges, wrongSettings } from './settings-form'
import { WriteGate } from './write-gate'

export function SettingsPage() {
  return (
    <WriteGate>
      <SettingsForm />
    </WriteGate>
  )
}

function SettingsForm() {
  const { team } = useCurrentTeam()
  const application = useCurrentApplication()
  const [saved, setSaved] = useState(false)
  const { form, errors, problem, busy, dirty, touch } = useForm({
    names: settingNames,
    check: (values) => wrongSettings(application, values),
    send: async (values) => {
      await changeApplication(team.id, application.id, settingsChanges(application, values))
    },
    saved: () => {
      setSaved(true)
      announce(m.saved())
    },
  })
  useUnsaved(dirty)
  return (
    <form {...form} className={stack.parts} aria-label={words.tabs.settings}>
      <Panel title={words.general}>
        <div className={`${stack.wide} ${stack.fields}`}>
          <Field
            name="name"
            label={words.name}
            hint={words.nameHint}
            defaultValue={application.name}
            maxLength={100}
            autoComplete="off"
            error={errors.name}
            required
          />
          <TextArea
            name="description"
            label={words.description}
            optional={words.optional}
            hint={words.descriptionHint}
            defaultValue={application.description ?? ''}
            maxLength={500}
            error={errors.description}
          />
          <Field
            name="logoUrl"
            label={words.logo}
            optional={words.optional}
            hint={words.logoHint}
            type="url"
            inputMode="url"
            placeholder="https://"
            defaultValue={application.logoUrl ?? ''}
            error={errors.logoUrl}
          />
          <Field
            name="launchUrl"
            label={words.launch}
            optional={words.optional}
            hint={words.launchHint}
            type="url"
            inputMode="url"
            placeholder="https://"
            defaultValue={application.launchUrl ?? ''}
            error={errors.launchUrl}
          />
        </div>
      </Panel>
      {isForPeople(application) && <Addresses application={application} errors={errors} touch={touch} />}
      {application.type === 'OIDC' && <PermissionsPanel application={application} errors={errors} touch={touch} />}
      {application.type === 'OIDC' && <ProofsPanel application={application} />}
      <ProblemMessage problem={problem} />
      <SaveButton busy={busy} dirty={dirty} saved={saved} />
    </form>
  )
}

interface AddressesProps {
  application: Application
  errors: Partial<Record<string, string>>
  touch: (name: 'redirectUris' | 'postLogoutRedirectUris') => void
}

function Addresses({ application, errors, touch }: AddressesProps) {
  const { redirectUris, postLogoutRedirectUris, backchannelLogoutUri } = application
  return (
    <Panel title={words.addresses}>
      <div className={`${stack.wide} ${stack.parts}`}>
        <RowsField
          name="redirectUris"
          legend={words.redirects}
          hint={words.redirectsHint}
          rowLabel={words.redirect}
          initial={redirectUris}
          errors={errors}
          touch={touch}
          placeholder="https://"
        />
        <RowsField
          name="postLogoutRedirectUris"
          legend={words.postLogout}
          optional={words.optional}
          hint={words.postLogoutHint}
          rowLabel={words.postLogoutRow}
          initial={postLogoutRedirectUris}
          errors={errors}
          touch={touch}
          placeholder="https://"
        />
        <Field
          name="backchannelLogoutUri"
          label={words.backchannel}
          optional={words.optional}
          hint={words.backchannelHint}
          type="url"
          inputMode="url"
          placeholder="https://"
          defaultValue={backchannelLogoutUri ?? ''}
          error={errors.backchannelLogoutUri}
        />
      </div>
    </Panel>
  )
}
