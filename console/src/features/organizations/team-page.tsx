import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Team } from '../../api/contract'
import { useSession } from '../../api/use-session'
import { LoadError } from '../../design/load-error'
import { Page } from '../../design/page'
import { RowsLoading } from '../../design/rows-loading'
import { teamWords as words } from '../../words'
import { meInTeamQuery } from '../identities/queries'
import { NextSteps } from './next-steps'
import { teamsQuery } from './queries'
import { TeamFacts } from './team-facts'

/** The team that the URL names, whatever team the session was opened for. */
export function TeamPage() {
  const { slug } = getRouteApi('/signed-in/t/$slug').useParams()
  const teams = useQuery(teamsQuery)
  const navigate = useNavigate()
  const own = useSession()?.team
  const title = own?.slug === slug ? own.name : words.loading
  if (teams.isPending) {
    return (
      <Page title={title}>
        <RowsLoading rows={2} height={180} />
      </Page>
    )
  }
  if (teams.isError) {
    return (
      <Page title={title}>
        <LoadError error={teams.error} retry={() => teams.refetch()} />
      </Page>
    )
  }
  const team = teams.data.find((one) => one.slug === slug)
  if (!team) {
    return (
      <Page title={words.notFound} lead={words.notFoundLead}>
        <div>
          <Button onClick={() => navigate({ to: '/account/teams' })}>{words.toTeams}</Button>
        </div>
      </Page>
    )
  }
  return <Overview key={team.id} team={team} />
}

function Overview({ team }: { team: Team }) {
  const me = useQuery(meInTeamQuery(team.id))
  return (
    <Page title={team.name}>
      {me.isPending && <RowsLoading rows={2} height={180} />}
      {me.isError && <LoadError error={me.error} retry={() => me.refetch()} />}
      {me.data && <TeamFacts team={team} me={me.data} />}
      {me.data && <NextSteps me={me.data} />}
    </Page>
  )
}
