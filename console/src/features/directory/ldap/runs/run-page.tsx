import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { asProblem } from '../../../../api/problem'
import m from '../../../../messages/en/ldap-runs.json'
import { Notice } from '../../../../ui/layout/notice'
import { LoadError } from '../../../../ui/page/load-error'
import { Panel } from '../../../../ui/page/panel'
import { RowsLoading } from '../../../../ui/page/rows-loading'
import { useCurrentTeam } from '../../../organizations/current-team'
import { runQuery } from '../queries'
import { PlannedChanges } from './planned-changes'
import { RejectedEntries } from './rejected-entries'
import { RunProgress } from './run-progress'
import { RunResult } from './run-result'
import { useRunEnd } from './use-run-end'

const route = getRouteApi('/signed-in/t/$slug/directory/ldap/runs/$run')

/** One run: its progress, then its result and the rejected entries. */
export function RunPage() {
  const { run } = route.useParams()
  // Dialogs of one run are not kept for another.
  return <Run key={run} id={run} />
}

function Run({ id }: { id: string }) {
  const { team } = useCurrentTeam()
  const { other } = route.useSearch()
  const run = useQuery(runQuery(team.id, id))
  useRunEnd(run.data)
  if (run.isPending) return <RowsLoading rows={2} height={180} />
  if (run.isError && asProblem(run.error).status === 404) return <NotFound slug={team.slug} />
  if (!run.data) return <LoadError error={run.error} retry={() => run.refetch()} />
  if (run.data.status === 'running')
    return (
      <>
        {other && (
          <Notice kind="info">
            <p>{m.alreadyRunning()}</p>
          </Notice>
        )}
        <RunProgress run={run.data} />
      </>
    )
  return (
    <>
      <RunResult run={run.data} />
      <RejectedEntries run={run.data} />
      <PlannedChanges run={run.data} />
    </>
  )
}

function NotFound({ slug }: { slug: string }) {
  const navigate = useNavigate()
  return (
    <Panel
      title={m.notFound()}
      about={m.notFoundHelp()}
      action={
        <Button onClick={() => navigate({ to: '/t/$slug/directory/ldap/runs', params: { slug } })}>
          {m.allRuns()}
        </Button>
      }
    />
  )
}
