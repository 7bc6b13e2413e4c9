import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet, useNavigate } from '@tanstack/react-router'
import { LoadError } from '../design/load-error'
import { Page } from '../design/page'
import { RowsLoading } from '../design/rows-loading'
import { tabsFor } from '../features/directory/tabs'
import { meInTeamQuery } from '../features/identities/queries'
import { CurrentTeamProvider } from '../features/organizations/current-team'
import { teamsQuery } from '../features/organizations/queries'
import { layoutWords, teamWords } from '../words'
import { type Section, Sections } from './sections'

/** Finds the team and what its reader may see of it; the pages below have both. */
export function TeamLayout() {
  const { slug } = getRouteApi('/signed-in/t/$slug').useParams()
  const teams = useQuery(teamsQuery)
  const team = teams.data?.find((one) => one.slug === slug)
  const me = useQuery({ ...meInTeamQuery(team?.id ?? ''), enabled: team !== undefined })
  const failed = teams.isError ? teams : me.isError ? me : null
  const sections: Section[] = [
    { to: '/t/$slug', params: { slug }, icon: 'home', name: layoutWords.teamSections.overview },
  ]
  if (me.data?.permissions.includes('applications:read'))
    sections.push({
      to: '/t/$slug/applications',
      params: { slug },
      icon: 'apps',
      name: layoutWords.teamSections.applications,
      exact: false,
    })
  if (me.data?.permissions.includes('sso:read'))
    sections.push({
      to: '/t/$slug/sso',
      params: { slug },
      icon: 'key',
      name: layoutWords.teamSections.sso,
      exact: false,
    })
  const [directory] = tabsFor(me.data?.permissions ?? [])
  if (directory)
    sections.push({
      to: directory.to,
      params: { slug },
      icon: 'book',
      name: layoutWords.teamSections.directory,
      exact: false,
    })

  if (teams.data && !team) return <NoSuchTeam />
  return (
    <Sections label={layoutWords.teamSectionsLabel} sections={sections} wide>
      {failed ? (
        <Page title={team?.name ?? teamWords.loading}>
          <LoadError error={failed.error} retry={() => failed.refetch()} />
        </Page>
      ) : team && me.data ? (
        // Another team is another page: nothing that was typed or opened may be carried over.
        <CurrentTeamProvider key={team.id} value={{ team, me: me.data }}>
          <Outlet />
        </CurrentTeamProvider>
      ) : (
        <RowsLoading rows={2} height={180} />
      )}
    </Sections>
  )
}

function NoSuchTeam() {
  const navigate = useNavigate()
  return (
    <Sections label={layoutWords.teamSectionsLabel} sections={[]} wide>
      <Page title={teamWords.notFound} lead={teamWords.notFoundLead}>
        <div>
          <Button onClick={() => navigate({ to: '/account/teams' })}>{teamWords.toTeams}</Button>
        </div>
      </Page>
    </Sections>
  )
}
