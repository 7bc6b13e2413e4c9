import { Button, Checkbox, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { array, boolean, object, string } from 'valibot'
import type { Application } from '../../../api/contract'
import applications from '../../../messages/en/applications.json'
import m from '../../../messages/en/try-it.json'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { useCurrentTeam } from '../../organizations/current-team'
import { isStandard } from '../scopes'
import { configQuery } from '../tokens/calls'
import { authorizeUrl, preparedTry, tryCallbackUrl } from './authorize-request'
import { keepPending } from './pending-try'
import { TryCallbackUrl } from './try-callback-url'

/** Browsers offer cryptography only to pages that were loaded securely. */
const canSign = crypto.subtle !== undefined

const schema = object({ scopes: array(string()), freshSignIn: boolean() })

/** Starts a real sign-in in this tab, which returns to /try/callback. */
export function TryForm({ application }: { application: Application }) {
  const { team, me } = useCurrentTeam()
  const config = useQuery({
    ...configQuery({ teamId: team.id, appId: application.id }),
    enabled: me.permissions.includes('oidc-config:read'),
  })
  // Custom scopes can be requested without being allowed in the settings.
  const own = config.data?.scopes.filter(({ name }) => !isStandard({ name })) ?? []
  const about = (scope: string) => own.find(({ name }) => name === scope)?.description ?? applications.scope({ scope })
  const start = useRef<HTMLButtonElement>(null)
  const isReady = application.redirectUris.includes(tryCallbackUrl())
  const { form, problem, busy, onSubmit } = useSchemaForm({
    schema,
    initial: { scopes: application.scopes, freshSignIn: false },
    send: async (values) => {
      const pending = await preparedTry(application, team.slug, values)
      keepPending(pending)
      location.assign(authorizeUrl(pending))
      // The browser leaves the page: the button stays busy.
      await new Promise(() => {})
    },
  })
  const scopes = [...new Set([...application.scopes, ...own.map(({ name }) => name)])]

  return (
    <>
      <Panel title={m.urlPanel()}>
        <TryCallbackUrl
          application={application}
          changed={(added) => {
            // After the next paint, when the button is enabled.
            if (added) setTimeout(() => start.current?.focus())
          }}
        />
      </Panel>
      <Panel title={m.panel()} about={m.about()}>
        <form onSubmit={onSubmit} noValidate aria-label={m.panel()} className={stack.fields}>
          {!application.scopes.includes('openid') && (
            <Notice kind="warning">
              <p>{m.noOpenid()}</p>
            </Notice>
          )}
          {!canSign && (
            <Notice kind="warning">
              <p>{m.insecure()}</p>
            </Notice>
          )}
          <Checkbox.Group label={m.scopes()} key={form.key('scopes')} {...form.getInputProps('scopes')}>
            <Stack gap="xs" mt="xs">
              {scopes.map((scope) => (
                <Checkbox key={scope} value={scope} label={scope} description={about(scope)} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Checkbox
            label={m.prompt()}
            description={m.promptAbout()}
            key={form.key('freshSignIn')}
            {...form.getInputProps('freshSignIn', { type: 'checkbox' })}
          />
          <ProblemMessage problem={problem} />
          <div className={stack.row}>
            <Button
              ref={start}
              type="submit"
              leftSection={<Icon name="play" />}
              loading={busy}
              disabled={!isReady || !canSign}
            >
              {m.start()}
            </Button>
            {!isReady && <span className={stack.dimmed}>{m.addFirst()}</span>}
          </div>
        </form>
      </Panel>
    </>
  )
}
