import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Application } from '../../../api/contract'
import { ChoiceList } from '../../../ui/form/choice-list'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { filledRows } from '../../../ui/form/rows-field'
import { useForm } from '../../../ui/form/use-form'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { applicationWords, tryWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { configQuery } from '../tokens/calls'
import { isStandard } from '../tokens/untouched'
import { authorizeUrl, preparedTry, tryAddress } from './authorize-request'
import { keepPending } from './pending-try'
import { TryAddress } from './try-address'

/** Browsers keep their cryptography from pages that anybody on the way could have changed. */
const canSign = crypto.subtle !== undefined

/** What to ask for, and off to the service: a real sign-in in this tab, which comes back to /try/callback. */
export function TryForm({ application }: { application: Application }) {
  const { team, me } = useCurrentTeam()
  const config = useQuery({
    ...configQuery({ teamId: team.id, appId: application.id }),
    enabled: me.permissions.includes('oidc-config:read'),
  })
  // Scopes of its own need not be registered to be asked for.
  const own = config.data?.scopes.filter(({ name }) => !isStandard({ name })) ?? []
  const about = (scope: string) => own.find(({ name }) => name === scope)?.description ?? applicationWords.scope(scope)
  const start = useRef<HTMLButtonElement>(null)
  const ready = application.redirectUris.includes(tryAddress())
  const { form, problem, busy } = useForm({
    names: ['scopes', 'prompt'],
    send: async ({ scopes, prompt }) => {
      const pending = await preparedTry(application, team.slug, {
        scopes: filledRows(scopes),
        freshSignIn: prompt === 'login',
      })
      keepPending(pending)
      location.assign(authorizeUrl(pending))
      // The page is being left: the button stays busy.
      await new Promise(() => {})
    },
  })

  return (
    <>
      <Panel title={words.addressPanel}>
        <TryAddress
          application={application}
          changed={(added) => {
            // The next thing to do, once it can be done.
            if (added) setTimeout(() => start.current?.focus())
          }}
        />
      </Panel>
      <Panel title={words.panel} about={words.about}>
        <form {...form} aria-label={words.panel}>
          <div className={stack.fields}>
            {!application.scopes.includes('openid') && (
              <Notice kind="warning">
                <p>{words.noOpenid}</p>
              </Notice>
            )}
            {!canSign && (
              <Notice kind="warning">
                <p>{words.insecure}</p>
              </Notice>
            )}
            <ChoiceList
              legend={words.scopes}
              name="scopes"
              chosen={application.scopes}
              choices={[...new Set([...application.scopes, ...own.map(({ name }) => name)])].map((value) => ({
                value,
                title: value,
                about: about(value),
              }))}
            />
            <ChoiceList
              legend={words.prompt}
              name="prompt"
              chosen={[]}
              choices={[{ value: 'login', title: words.promptLogin, about: words.promptLoginAbout }]}
            />
            <ProblemMessage problem={problem} />
            <div className={stack.row}>
              <Button
                ref={start}
                type="submit"
                leftSection={<Icon name="play" />}
                loading={busy}
                disabled={!ready || !canSign}
              >
                {words.start}
              </Button>
              {!ready && <span className={stack.dimmed}>{words.addFirst}</span>}
            </div>
          </div>
        </form>
      </Panel>
    </>
  )
}
