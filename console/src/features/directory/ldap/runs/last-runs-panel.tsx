import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import m from '../../../../messages/en/ldap-runs.json'
import { LoadError } from '../../../../ui/page/load-error'
import { Panel } from '../../../../ui/page/panel'
import { RowsLoading } from '../../../../ui/page/rows-loading'
import { useCurrentTeam } from '../../../organizations/current-team'
import { RECENT_RUNS, runsQuery } from '../queries'
import { RunList } from './run-row'

/** The last syncs. */
export function LastRunsPanel() {
  const { team } = useCurrentTeam()
  const runs = useQuery(runsQuery(team.id, 1, RECENT_RUNS))
  return (
    <Panel
      title={m.runs()}
      about={runs.data?.total === 0 ? m.noRuns() : m.runsHelp()}
      action={
        runs.data &&
        runs.data.total > RECENT_RUNS && (
          <Link to="/t/$slug/directory/ldap/runs" params={{ slug: team.slug }}>
            {m.allRuns()}
          </Link>
        )
      }
    >
      {runs.isPending && <RowsLoading rows={3} />}
      {runs.isError && <LoadError error={runs.error} retry={() => runs.refetch()} />}
      {runs.data && runs.data.total > 0 && <RunList runs={runs.data.data} />}
    </Panel>
  )
}
