import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { EmptyState } from '../../../../ui/empty-state'
import { LoadError } from '../../../../ui/load-error'
import { Panel } from '../../../../ui/panel'
import { RowsLoading } from '../../../../ui/rows-loading'
import stack from '../../../../ui/stack.module.css'
import { ldapRunWords as words } from '../../../../words'
import { useCurrentTeam } from '../../../organizations/current-team'
import { ToLdap } from '../back-link'
import { RUNS_A_PAGE, runsQuery } from '../queries'
import { RunList } from './run-row'

/** Every run that is kept, a page at a time. */
export function RunsPage() {
  const { team } = useCurrentTeam()
  const { page = 1 } = getRouteApi('/signed-in/t/$slug/directory/ldap/runs').useSearch()
  const runs = useQuery({ ...runsQuery(team.id, page), placeholderData: keepPreviousData })
  return (
    <>
      <div>
        <ToLdap />
      </div>
      <Panel title={words.runs} about={words.runsAbout}>
        <div className={stack.parts}>
          {runs.isPending && <RowsLoading rows={5} />}
          {runs.isError && <LoadError error={runs.error} retry={() => runs.refetch()} />}
          {runs.data?.data.length === 0 && <EmptyState icon="download" text={words.noRuns} />}
          {runs.data && runs.data.data.length > 0 && <RunList runs={runs.data.data} />}
          {runs.data && <Pages page={page} last={Math.ceil(runs.data.total / RUNS_A_PAGE)} />}
        </div>
      </Panel>
    </>
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
    <nav className={stack.row} aria-label={words.pages}>
      <Button variant="default" disabled={page <= 1} onClick={() => go(page - 1)}>
        {words.newer}
      </Button>
      <Button variant="default" disabled={page >= last} onClick={() => go(page + 1)}>
        {words.older}
      </Button>
    </nav>
  )
}
