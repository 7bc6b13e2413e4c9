import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Application } from '../../../api/contract'
import { Field } from '../../../ui/form/field'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { RowsField } from '../../../ui/form/rows-field'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { Page } from '../../../ui/page'
import { Panel } from '../../../ui/panel'
import { SecretOnce } from '../../../ui/secret-once'
import stack from '../../../ui/stack.module.css'
import { useUnsaved } from '../../../ui/unsaved'
import { applicationWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { isForPeople, type Kind, settingsOf } from '../application-kind'
import { NeedsPermission } from '../needs-permission'
import { clientSettings, envFileName, envText } from '../overview/env-file'
import { createApplication } from '../queries'
import { ServiceProviderFields, wrongServiceProvider } from '../saml/service-provider-fields'
import { redirectsOf, wrongRedirects } from '../settings/redirect-rows'
import { KindChoice } from './kind-choice'

export function NewApplicationPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('applications:write') ? (
    <NewApplication />
  ) : (
    <NeedsPermission permission="applications:write" />
  )
}

function NewApplication() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const [kind, setKind] = useState<Kind>('web')
  const [secret, setSecret] = useState<string | null>(null)
  const made = useRef<Application | null>(null)
  const settings = settingsOf(kind)
  const isSaml = kind === 'saml'
  const forPeople = isForPeople({ grantTypes: settings.grantTypes ?? [] })

  const toApplication = () =>
    made.current && navigate({ to: '/t/$slug/applications/$id', params: { slug: team.slug, id: made.current.id } })

  const { form, errors, problem, busy, dirty, touch } = useForm({
    names: ['name', 'redirectUris', 'samlSpEntityId', 'samlSpAcsUrl'],
    check: ({ name, redirectUris, ...saml }) => ({
      ...(!name.trim() && { name: words.nameMissing }),
      ...wrongRedirects('redirectUris', redirectUris, Boolean(settings.isPublicClient)),
      ...(isSaml && wrongServiceProvider(saml)),
    }),
    send: async ({ name, redirectUris, samlSpEntityId, samlSpAcsUrl }) => {
      const { application, secret } = await createApplication(team.id, {
        ...settings,
        name: name.trim(),
        ...(forPeople && { redirectUris: redirectsOf(redirectUris) }),
        ...(isSaml && { samlSpEntityId: samlSpEntityId.trim(), samlSpAcsUrl: samlSpAcsUrl.trim() }),
      })
      made.current = application
      setSecret(secret)
    },
    saved: () => {
      // A secret is shown first.
      if (made.current && !made.current.hasSecret) toApplication()
    },
    focusOnRefusal: 'name',
  })
  useUnsaved(dirty)
  const { example } = words.kinds[kind]

  return (
    <Page title={words.newTitle} lead={words.newLead}>
      <Panel title={words.newTitle} hideTitle>
        <form {...form} aria-label={words.newTitle}>
          <div className={stack.parts}>
            <KindChoice value={kind} choose={setKind} />
            <div className={`${stack.wide} ${stack.fields}`}>
              <Field
                name="name"
                label={words.name}
                hint={words.nameHint}
                maxLength={100}
                autoComplete="off"
                error={errors.name}
                required
              />
              {forPeople && (
                <RowsField
                  name="redirectUris"
                  legend={words.redirects}
                  optional={words.optional}
                  hint={words.redirectsHint}
                  rowLabel={words.redirect}
                  initial={[]}
                  errors={errors}
                  touch={touch}
                  placeholder="https://"
                  suggestion={{ value: example, words: words.suggest(example) }}
                />
              )}
            </div>
            {isSaml && (
              <div className={`${stack.wide} ${stack.fields}`}>
                <ServiceProviderFields errors={errors} />
              </div>
            )}
            <ProblemMessage problem={problem} />
            <div>
              <SubmitButton busy={busy} fullWidth={false}>
                {words.create}
              </SubmitButton>
            </div>
          </div>
        </form>
      </Panel>
      {secret && made.current && (
        <SecretOnce
          title={words.secretTitle(made.current.name)}
          label={words.secretLabel}
          secret={secret}
          file={{ name: envFileName(made.current), text: envText(clientSettings(made.current, secret)) }}
          close={() => {
            setSecret(null)
            toApplication()
          }}
        />
      )}
    </Page>
  )
}
