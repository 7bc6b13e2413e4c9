import { Page } from '../../ui/page'
import { useCurrentTeam } from './current-team'
import { NextSteps } from './next-steps'
import { TeamFacts } from './team-facts'

export function TeamPage() {
  const { team, me } = useCurrentTeam()
  return (
    <Page title={team.name}>
      <TeamFacts team={team} me={me} />
      <NextSteps team={team} me={me} />
    </Page>
  )
}
