import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { asProblem } from '../../../../api/problem'
import { LoadError } from '../../../../ui/load-error'
import { Notice } from '../../../../ui/notice'
import { Panel } from '../../../../ui/panel'
import { RowsLoading } from '../../../../ui/rows-loading'
import { ldapRunWords as words } from '../../../../words'
import { useCurrentTeam } from '../../../organizations/current-team'
import { ToLdap } from '../back-link'
import { runQuery } from '../queries'
import { PlannedChanges } from './planned-changes'
import { RefusedEntries } from './rejected-entries'
import { RunProgress } from './run-progress'
import { RunResult } from './run-result'
import { useRunEnd } from './use-run-end'

const route = getRouteApi('/signed-in/t/$slug/directory/ldap/runs/$run')

/** One run: how far it is, then what it did or would do, and what was refused. */
export function RunPage() {
  const { run } = route.useParams()
  return (
    <>
      <div>
        <ToLdap />
      </div>
      {/* What was asked about one run is not asked about another. */}
      <Run key={run} id={run} />
    </>
  )
}

function Run({ id }: { id: string }) {
  const { team } = useCurrentTeam()
  const { other } = route.useSearch()
  const run = useQuery(runQuery(team.id, id))
  useRunEnd(run.data)
  if (run.isPending) return <RowsLoading rows={2} height={180} />
  if (run.isError && asProblem(run.error).status === 404) return <NoSuchRun slug={team.slug} />
  if (!run.data) return <LoadError error={run.error} retry={() => run.refetch()} />
  if (run.data.status === 'running')
    return (
      <>
        {other && (
          <Notice kind="info">
            <p>{words.alreadyRuns}</p>
          </Notice>
        )}
        <RunProgress run={run.data} />
      </>
    )
  return (
    <>
      <RunResult run={run.data} />
      <RefusedEntries run={run.data} />
      <PlannedChanges run={run.data} />
    </>
  )
}

function NoSuchRun({ slug }: { slug: string }) {
  const navigate = useNavigate()
  return (
    <Panel
      title={words.notFound}
      about={words.notFoundText}
      action={
        <Button onClick={() => navigate({ to: '/t/$slug/directory/ldap/runs', params: { slug } })}>
          {words.toRuns}
        </Button>
      }
    />
  )
}
