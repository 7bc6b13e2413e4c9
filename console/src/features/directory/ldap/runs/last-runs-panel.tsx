import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LoadError } from '../../../../ui/load-error'
import { Panel } from '../../../../ui/panel'
import { RowsLoading } from '../../../../ui/rows-loading'
import { ldapRunWords as words } from '../../../../words'
import { useCurrentTeam } from '../../../organizations/current-team'
import { runsQuery, SOME_RUNS } from '../queries'
import { RunList } from './run-row'

/** What was read last. */
export function LastRunsPanel() {
  const { team } = useCurrentTeam()
  const runs = useQuery(runsQuery(team.id, 1, SOME_RUNS))
  return (
    <Panel
      title={words.runs}
      about={runs.data?.total === 0 ? words.noRuns : words.runsAbout}
      action={
        runs.data &&
        runs.data.total > SOME_RUNS && (
          <Link to="/t/$slug/directory/ldap/runs" params={{ slug: team.slug }}>
            {words.allRuns}
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
