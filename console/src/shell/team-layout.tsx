import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet, useNavigate } from '@tanstack/react-router'
import { meInTeamQuery } from '../features/account/profile/queries'
import { CurrentTeamProvider } from '../features/organizations/current-team'
import { teamsQuery } from '../features/organizations/queries'
import m from '../messages/en/team-page.json'
import { LoadError } from '../ui/page/load-error'
import { Page } from '../ui/page/page'
import page from '../ui/page/page.module.css'
import { RowsLoading } from '../ui/page/rows-loading'

/** Finds the team of the URL and the user's permissions in it, for the pages below. */
export function TeamLayout() {
  const { slug } = getRouteApi('/signed-in/t/$slug').useParams()
  const teams = useQuery(teamsQuery)
  const team = teams.data?.find((one) => one.slug === slug)
  const me = useQuery({ ...meInTeamQuery(team?.id ?? ''), enabled: team !== undefined })
  const failed = teams.isError ? teams : me.isError ? me : null

  // While the list is read again, the team may have a new slug.
  if (teams.data && !team && !teams.isFetching) return <NoSuchTeam />
  if (failed)
    return (
      <Page title={team?.name ?? m.loading()}>
        <LoadError error={failed.error} retry={() => failed.refetch()} />
      </Page>
    )
  // Without a heading: the page below would move the focus to its own one on the first load.
  if (!team || !me.data)
    return (
      <div className={page.content}>
        <RowsLoading rows={2} height={180} />
      </div>
    )
  return (
    // Another team is another page: input and open dialogs must not move to it.
    <CurrentTeamProvider key={team.id} value={{ team, me: me.data }}>
      <Outlet />
    </CurrentTeamProvider>
  )
}

function NoSuchTeam() {
  const navigate = useNavigate()
  return (
    <Page title={m.notFound()} lead={m.notFoundLead()}>
      <div>
        <Button onClick={() => navigate({ to: '/account/teams' })}>{m.toTeams()}</Button>
      </div>
    </Page>
  )
}
