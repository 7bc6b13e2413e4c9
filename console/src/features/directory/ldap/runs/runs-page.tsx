import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import m from '../../../../messages/en/ldap-runs.json'
import stack from '../../../../ui/layout/stack.module.css'
import { EmptyState } from '../../../../ui/page/empty-state'
import { LoadError } from '../../../../ui/page/load-error'
import { Panel } from '../../../../ui/page/panel'
import { RowsLoading } from '../../../../ui/page/rows-loading'
import { useCurrentTeam } from '../../../organizations/current-team'
import { RUNS_PER_PAGE, runsQuery } from '../queries'
import { RunList } from './run-row'

/** All stored runs, one page at a time. */
export function RunsPage() {
  const { team } = useCurrentTeam()
  const { page = 1 } = getRouteApi('/signed-in/t/$slug/directory/ldap/runs').useSearch()
  const runs = useQuery({ ...runsQuery(team.id, page), placeholderData: keepPreviousData })
  return (
    <Panel title={m.runs()} about={m.runsHelp()}>
      <div className={stack.parts}>
        {runs.isPending && <RowsLoading rows={5} />}
        {runs.isError && <LoadError error={runs.error} retry={() => runs.refetch()} />}
        {runs.data?.data.length === 0 && <EmptyState icon="download" text={m.noRuns()} />}
        {runs.data && runs.data.data.length > 0 && <RunList runs={runs.data.data} />}
        {runs.data && <Pages page={page} last={Math.ceil(runs.data.total / RUNS_PER_PAGE)} />}
      </div>
    </Panel>
  )
}

function Pages({ page, last }: { page: number; last: number }) {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  if (page === 1 && last <= 1) return null
  const go = (to: number) =>
    navigate({
      to: '/t/$slug/directory/ldap/runs',
      params: { slug: team.slug },
      search: to > 1 ? { page: to } : {},
    })
  return (
    <nav className={stack.row} aria-label={m.pages()}>
      <Button variant="default" disabled={page <= 1} onClick={() => go(page - 1)}>
        {m.newer()}
      </Button>
      <Button variant="default" disabled={page >= last} onClick={() => go(page + 1)}>
        {m.older()}
      </Button>
    </nav>
  )
}
