import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/application-settings.json'
import applications from '../../../messages/en/applications.json'
import common from '../../../messages/en/common.json'
import { SaveBar } from '../../../ui/form/save-bar'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { useCurrentTeam } from '../../organizations/current-team'
import { isForPeople } from '../application-kind'
import { useCurrentApplication } from '../current-application'
import { applicationsQuery, changeApplication } from '../queries'
import { STANDARD_SCOPES } from '../scopes'
import { WriteGate } from '../write-gate'
import { CredentialsPanel } from './credentials-panel'
import { DangerZone } from './danger-zone'
import { GRANTS, grantKey, grantName, NEEDS_SECRET } from './grants'
import { type Settings, settingsChanges, settingsOf, settingsSchema } from './settings-form'

/** Everything that an administrator changes about an application, except its access and tokens. */
export function SettingsPage() {
  const { me } = useCurrentTeam()
  const { type } = useCurrentApplication()
  return (
    <>
      <WriteGate>
        <SettingsForm />
      </WriteGate>
      {type === 'OIDC' && <CredentialsPanel />}
      {me.permissions.includes('applications:write') && <DangerZone />}
    </>
  )
}

function SettingsForm() {
  const { team } = useCurrentTeam()
  const application = useCurrentApplication()
  const { isPublicClient, type } = application
  const write = useWrite({
    act: (values: Settings) => changeApplication(team.id, application.id, settingsChanges(application, values)),
    refresh: [applicationsQuery(team.id).queryKey],
    done: () => common.saved(),
    showsError: true,
  })
  const { form, problem, busy, changes, discard, onSubmit } = useSchemaForm({
    schema: settingsSchema(application),
    initial: settingsOf(application),
    send: write.mutateAsync,
  })
  return (
    <form onSubmit={onSubmit} noValidate className={stack.parts} aria-label={applications.tab({ tab: 'settings' })}>
      <Panel title={m.general()}>
        <div className={`${stack.wide} ${stack.fields}`}>
          <TextInput
            label={applications.name()}
            description={applications.nameHint()}
            maxLength={100}
            autoComplete="off"
            required
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          <Textarea
            label={m.description()}
            description={m.descriptionHint()}
            maxLength={500}
            autosize
            minRows={2}
            key={form.key('description')}
            {...form.getInputProps('description')}
          />
          <TextInput
            {...URL_FIELD}
            label={m.logo()}
            description={m.logoHint()}
            key={form.key('logoUrl')}
            {...form.getInputProps('logoUrl')}
          />
          <TextInput
            {...URL_FIELD}
            label={m.launch()}
            description={m.launchHint()}
            key={form.key('launchUrl')}
            {...form.getInputProps('launchUrl')}
          />
        </div>
      </Panel>
      {isForPeople(application) && (
        <Panel title={m.urls()}>
          <div className={`${stack.wide} ${stack.fields}`}>
            <Textarea
              {...URL_LINES}
              label={applications.redirects()}
              description={applications.redirectsHint()}
              key={form.key('redirectUris')}
              {...form.getInputProps('redirectUris')}
            />
            <Textarea
              {...URL_LINES}
              label={m.postLogout()}
              description={m.postLogoutHint()}
              key={form.key('postLogoutRedirectUris')}
              {...form.getInputProps('postLogoutRedirectUris')}
            />
            <TextInput
              {...URL_FIELD}
              label={m.backchannel()}
              description={m.backchannelHint()}
              key={form.key('backchannelLogoutUri')}
              {...form.getInputProps('backchannelLogoutUri')}
            />
          </div>
        </Panel>
      )}
      {type === 'OIDC' && (
        <>
          <Panel title={m.permissions()}>
            <div className={`${stack.wide} ${stack.parts}`}>
              <Checkbox.Group label={m.scopes()} key={form.key('scopes')} {...form.getInputProps('scopes')}>
                <Stack gap="xs" mt="xs">
                  {withOwn(STANDARD_SCOPES, application.scopes).map((scope) => (
                    <Checkbox key={scope} value={scope} label={scope} description={applications.scope({ scope })} />
                  ))}
                </Stack>
              </Checkbox.Group>
              <Checkbox.Group label={m.grantTypes()} key={form.key('grantTypes')} {...form.getInputProps('grantTypes')}>
                <Stack gap="xs" mt="xs">
                  {withOwn(GRANTS, application.grantTypes).map((grant) => {
                    const disabled =
                      isPublicClient && NEEDS_SECRET.includes(grant) && !application.grantTypes.includes(grant)
                    return (
                      <Checkbox
                        key={grant}
                        value={grant}
                        disabled={disabled}
                        label={grantName(grant)}
                        description={disabled ? m.secretNeeded() : m.grantAbout({ grant: grantKey(grant) })}
                      />
                    )
                  })}
                </Stack>
              </Checkbox.Group>
              <Textarea
                {...URL_LINES}
                label={m.resources()}
                description={m.resourcesHint()}
                key={form.key('resources')}
                {...form.getInputProps('resources')}
              />
            </div>
          </Panel>
          <Panel title={m.dpop()}>
            <div className={`${stack.wide} ${stack.fields}`}>
              <Checkbox
                label={m.requireDpop()}
                description={m.requireDpopAbout()}
                key={form.key('requireDpop')}
                {...form.getInputProps('requireDpop', { type: 'checkbox' })}
              />
              <Checkbox
                label={m.requireNonce()}
                description={m.requireNonceAbout()}
                key={form.key('dpopNonceEnabled')}
                {...form.getInputProps('dpopNonceEnabled', { type: 'checkbox' })}
              />
            </div>
          </Panel>
        </>
      )}
      <SaveBar changes={changes} busy={busy} problem={problem} discard={discard} />
    </form>
  )
}

const URL_FIELD = { type: 'url', inputMode: 'url', placeholder: 'https://', autoComplete: 'off' } as const
const URL_LINES = { autosize: true, minRows: 2, placeholder: 'https://', inputMode: 'url', spellCheck: false } as const

/** The standard choices, and those that only this application has. */
const withOwn = (standard: readonly string[], own: readonly string[]) => [...new Set([...standard, ...own])]
