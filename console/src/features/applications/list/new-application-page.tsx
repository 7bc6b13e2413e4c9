import { Button, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { minLength, object, pipe, string, trim } from 'valibot'
import type { Application, ApplicationChanges, SpMetadata } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/applications.json'
import saml from '../../../messages/en/saml.json'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { useUnsaved } from '../../../ui/form/unsaved'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/layout/stack.module.css'
import { Page } from '../../../ui/page/page'
import { Panel } from '../../../ui/page/panel'
import { SecretOnce } from '../../../ui/secrets/secret-once'
import { useCurrentTeam } from '../../organizations/current-team'
import { isForPeople, type Kind, REDIRECT_EXAMPLES, settingsOf } from '../application-kind'
import { NeedsPermission } from '../needs-permission'
import { clientSettings, envFileName, envText } from '../overview/env-file'
import { changeApplication, createApplication } from '../queries'
import { MetadataPanel } from '../saml/metadata-panel'
import { serviceProviderEntries } from '../saml/service-provider'
import { linesOf, redirectLines } from '../settings/uri-schema'
import { KindChoice } from './kind-choice'

export function NewApplicationPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('applications:write') ? (
    <NewApplication />
  ) : (
    <NeedsPermission permission="applications:write" />
  )
}

const INITIAL = { name: '', redirectUris: '', samlSpEntityId: '', samlSpAcsUrl: '' }

const schemaOf = (kind: Kind) =>
  object({
    name: pipe(string(), trim(), minLength(1, m.nameMissing())),
    redirectUris: redirectLines(Boolean(settingsOf(kind).isPublicClient)),
    ...(kind === 'saml' ? serviceProviderEntries() : { samlSpEntityId: string(), samlSpAcsUrl: string() }),
  })

/** The settings in the metadata of a service provider. The logout URLs of the POST binding are set after the creation. */
const splitMetadata = ({
  warnings: _,
  requestedAttributes: __,
  certificateExpiresAt: ___,
  samlSpSloPostUrl,
  samlSpSloPostResponseUrl,
  ...fields
}: SpMetadata) => ({
  fields,
  postUrls: {
    ...(samlSpSloPostUrl && { samlSpSloPostUrl }),
    ...(samlSpSloPostResponseUrl && { samlSpSloPostResponseUrl }),
  },
})

function NewApplication() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const [kind, setKind] = useState<Kind>('web')
  const [metadata, setMetadata] = useState<SpMetadata | null>(null)
  const [created, setCreated] = useState<{ application: Application; secret: string | null } | null>(null)
  const settings = settingsOf(kind)
  const isSaml = kind === 'saml'
  const hasRedirects = isForPeople({ grantTypes: settings.grantTypes ?? [] })
  const example = REDIRECT_EXAMPLES[kind]
  const crumbs = [{ to: '/t/$slug/applications', params: { slug: team.slug }, name: m.title() }] as const

  const addPostUrls = useWrite({
    act: ({ id, changes }: { id: string; changes: ApplicationChanges }) => changeApplication(team.id, id, changes),
    refresh: [],
  })
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema: schemaOf(kind),
    initial: INITIAL,
    send: async ({ name, redirectUris, samlSpEntityId, samlSpAcsUrl }) => {
      const imported = isSaml && metadata ? splitMetadata(metadata) : null
      // Not by `useWrite`, whose result would keep the secret in the cache.
      const result = await createApplication(team.id, {
        ...settings,
        ...(isSaml && {
          ...imported?.fields,
          samlSpEntityId: samlSpEntityId.trim(),
          samlSpAcsUrl: samlSpAcsUrl.trim(),
        }),
        name: name.trim(),
        ...(hasRedirects && { redirectUris: linesOf(redirectUris) }),
      })
      if (imported && Object.keys(imported.postUrls).length > 0)
        addPostUrls.mutate({ id: result.application.id, changes: imported.postUrls })
      setCreated(result)
    },
  })
  useUnsaved(changes > 0)
  const isSaved = created !== null && changes === 0
  useEffect(() => {
    if (isSaved && created.secret === null)
      void navigate({ to: '/t/$slug/applications/$id', params: { slug: team.slug, id: created.application.id } })
  }, [isSaved, created, navigate, team.slug])

  return (
    <Page title={m.newTitle()} lead={m.newLead()} crumbs={crumbs}>
      <Panel title={m.kind()} hideTitle>
        <KindChoice value={kind} choose={setKind} />
      </Panel>
      {isSaml && (
        <MetadataPanel
          take={async (found) => {
            setMetadata(found)
            const { samlSpEntityId, samlSpAcsUrl } = found
            form.setValues({ samlSpEntityId, samlSpAcsUrl })
          }}
        />
      )}
      <Panel title={m.newTitle()} hideTitle>
        <form onSubmit={onSubmit} noValidate aria-label={m.newTitle()} className={`${stack.wide} ${stack.fields}`}>
          <TextInput
            label={m.name()}
            description={m.nameHint()}
            maxLength={100}
            autoComplete="off"
            required
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          {hasRedirects && (
            <div className={stack.tight}>
              <Textarea
                label={m.redirects()}
                description={m.redirectsHint()}
                placeholder="https://"
                inputMode="url"
                autosize
                minRows={2}
                spellCheck={false}
                key={form.key('redirectUris')}
                {...form.getInputProps('redirectUris')}
              />
              <div>
                <Button
                  variant="subtle"
                  size="compact-md"
                  onClick={() =>
                    form.setFieldValue(
                      'redirectUris',
                      linesOf(`${form.getValues().redirectUris}\n${example}`).join('\n'),
                    )
                  }
                >
                  {m.suggest({ uri: example })}
                </Button>
              </div>
            </div>
          )}
          {isSaml && (
            <>
              <TextInput
                label={saml.spEntityId()}
                description={saml.spEntityIdHint()}
                autoComplete="off"
                spellCheck={false}
                required
                key={form.key('samlSpEntityId')}
                {...form.getInputProps('samlSpEntityId')}
              />
              <TextInput
                label={saml.acsUrl()}
                description={saml.acsUrlHint()}
                inputMode="url"
                placeholder="https://"
                autoComplete="off"
                spellCheck={false}
                required
                key={form.key('samlSpAcsUrl')}
                {...form.getInputProps('samlSpAcsUrl')}
              />
            </>
          )}
          <ProblemMessage problem={problem} />
          <div>
            <Button type="submit" loading={busy}>
              {m.create()}
            </Button>
          </div>
        </form>
      </Panel>
      {created?.secret && (
        <SecretOnce
          title={m.secretTitle({ application: created.application.name })}
          label={m.secretLabel()}
          secret={created.secret}
          file={{
            name: envFileName(created.application),
            text: envText(clientSettings(created.application, created.secret)),
          }}
          close={() => setCreated({ ...created, secret: null })}
        />
      )}
    </Page>
  )
}
