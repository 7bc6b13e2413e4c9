import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../../api/use-session'
import { announce } from '../../../ui/announcer'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/notice'
import { Page } from '../../../ui/page'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { tryWords as words } from '../../../words'
import { applicationQuery } from '../queries'
import { tryAddress } from './authorize-request'
import type { PendingTry } from './pending-try'
import { takeReturned } from './returned'
import { stepId, Timeline } from './timeline'
import { TryAddress } from './try-address'
import { useTryRun } from './use-try-run'

/** Where a try-it run comes back to: finishes it as an application would, and shows each step. */
export function TryCallbackPage() {
  const { pending, query } = takeReturned()
  const navigate = useNavigate()
  if (pending) return <Run pending={pending} query={query} />
  return (
    <Page title={words.nothingTitle} lead={words.nothingText}>
      <div>
        <Button onClick={() => navigate({ to: '/' })}>{words.home}</Button>
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
  const result = phase === 'running' ? null : failed ? words.failed : words.works(email)

  useEffect(() => {
    if (result) announce(result)
  }, [result])

  const mend = (
    <p className={stack.row}>
      <Link to="/t/$slug/applications/$id/try" params={params}>
        {words.again}
      </Link>
      <Link to="/t/$slug/applications/$id/settings" params={params}>
        {words.toSettings}
      </Link>
      <Link to="/t/$slug/applications/$id/access" params={params}>
        {words.toAccess}
      </Link>
    </p>
  )
  return (
    <Page
      title={words.title(pending.name)}
      aside={
        <Button
          variant="default"
          aria-pressed={shown}
          leftSection={<Icon name={shown ? 'eyeOff' : 'eye'} />}
          onClick={() => setShown(!shown)}
        >
          {words.showTokens}
        </Button>
      }
    >
      {result && (
        <Notice kind={failed ? 'warning' : 'success'} title={result}>
          <p className={stack.row}>
            <Link to="/t/$slug/applications/$id" params={params}>
              {words.toApplication}
            </Link>
            <Link to="/t/$slug/applications/$id/try" params={params}>
              {words.again}
            </Link>
          </p>
        </Notice>
      )}
      <Panel title={words.timeline}>
        <Timeline steps={steps} shown={shown} mend={mend} />
        {(phase === 'ready' || phase === 'revoking') && (
          <Button
            mt={16}
            loading={phase === 'revoking'}
            // The button goes; the focus goes to what came of it.
            onClick={() => revoke().then(() => document.getElementById(stepId('introspect'))?.focus())}
          >
            {words.revokeNow}
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
        title={words.clean}
        about={words.addressRemoved}
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
            {words.toApplication}
          </Button>
        }
      />
    )
  if (!application?.redirectUris.includes(tryAddress())) return null
  return (
    <Panel title={words.clean} about={words.cleanAbout}>
      <TryAddress application={application} changed={() => setRemoved(true)} />
    </Panel>
  )
}
