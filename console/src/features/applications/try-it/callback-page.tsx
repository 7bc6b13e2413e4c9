import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../../api/use-session'
import m from '../../../messages/en/try-it.json'
import { announce } from '../../../ui/document/announcer'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Page } from '../../../ui/page/page'
import { Panel } from '../../../ui/page/panel'
import { applicationQuery } from '../queries'
import { tryCallbackUrl } from './authorize-request'
import { ClaimsTable } from './claims-table'
import type { PendingTry } from './pending-try'
import { takeReturned } from './returned'
import { stepId, Timeline } from './timeline'
import { TryCallbackUrl } from './try-callback-url'
import { useTryRun } from './use-try-run'

/** The callback URL of test runs: completes the run as an application would, and shows each step. */
export function TryCallbackPage() {
  const { pending, query } = takeReturned()
  const navigate = useNavigate()
  if (pending) return <Run pending={pending} query={query} />
  return (
    <Page title={m.nothingTitle()} lead={m.nothingText()}>
      <div>
        <Button onClick={() => navigate({ to: '/' })}>{m.home()}</Button>
      </div>
    </Page>
  )
}

function Run({ pending, query }: { pending: PendingTry; query: URLSearchParams }) {
  const { steps, phase, revoke } = useTryRun(pending, query)
  const [shown, setShown] = useState(false)
  const email = useSession()?.user.email ?? ''
  const params = { slug: pending.slug, id: pending.appId }
  const failed = Object.values(steps).some(({ state }) => state === 'failed')
  const result = phase === 'running' ? null : failed ? m.failed() : m.works({ user: email })

  useEffect(() => {
    if (result) announce(result)
  }, [result])

  const fix = (
    <p className={stack.row}>
      <Link to="/t/$slug/applications/$id/try" params={params}>
        {m.again()}
      </Link>
      <Link to="/t/$slug/applications/$id/settings" params={params}>
        {m.toSettings()}
      </Link>
      <Link to="/t/$slug/applications/$id/access" params={params}>
        {m.toAccess()}
      </Link>
    </p>
  )
  return (
    <Page
      title={m.title({ application: pending.name })}
      aside={
        <Button
          variant="default"
          aria-pressed={shown}
          leftSection={<Icon name={shown ? 'eyeOff' : 'eye'} />}
          onClick={() => setShown(!shown)}
        >
          {m.showTokens()}
        </Button>
      }
    >
      {result && (
        <Notice kind={failed ? 'warning' : 'success'} title={result}>
          <p className={stack.row}>
            <Link to="/t/$slug/applications/$id" params={params}>
              {m.toApplication()}
            </Link>
            <Link to="/t/$slug/applications/$id/try" params={params}>
              {m.again()}
            </Link>
          </p>
        </Notice>
      )}
      {!failed && steps.idToken?.claims && phase !== 'running' && (
        <Panel title={m.stepTitle({ step: 'idToken' })}>
          <ClaimsTable claims={steps.idToken.claims} />
        </Panel>
      )}
      <Panel title={m.timeline()}>
        <Timeline steps={steps} shown={shown} fix={fix} />
        {(phase === 'ready' || phase === 'revoking') && (
          <Button
            mt={16}
            loading={phase === 'revoking'}
            // The button disappears, so the focus moves to the result.
            onClick={() => revoke().then(() => document.getElementById(stepId('introspect'))?.focus())}
          >
            {m.revokeNow()}
          </Button>
        )}
      </Panel>
      {phase !== 'running' && <CleanUp pending={pending} />}
    </Page>
  )
}

function CleanUp({ pending }: { pending: PendingTry }) {
  const [removed, setRemoved] = useState(false)
  const navigate = useNavigate()
  const application = useQuery(applicationQuery(pending.teamId, pending.appId)).data
  if (removed)
    return (
      <Panel
        title={m.clean()}
        about={m.removed()}
        action={
          <Button
            autoFocus
            onClick={() =>
              navigate({
                to: '/t/$slug/applications/$id',
                params: { slug: pending.slug, id: pending.appId },
              })
            }
          >
            {m.toApplication()}
          </Button>
        }
      />
    )
  if (!application?.redirectUris.includes(tryCallbackUrl())) return null
  return (
    <Panel title={m.clean()} about={m.cleanAbout()}>
      <TryCallbackUrl application={application} changed={() => setRemoved(true)} />
    </Panel>
  )
}
