import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/own-teams.json'
import { EmptyState } from '../../../ui/page/empty-state'
import { LoadError } from '../../../ui/page/load-error'
import { Page } from '../../../ui/page/page'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { teamsQuery, waitingTeamsQuery } from '../../organizations/queries'
import { CreateTeam } from './create-team'
import { JoinableTeams } from './joinable-teams'
import { TeamRow } from './team-row'
import styles from './team-row.module.css'
import { WaitingTeams } from './waiting-teams'

export function TeamsPage() {
  const teams = useQuery(teamsQuery)
  const waiting = useQuery(waitingTeamsQuery).data ?? []
  const joined = teams.data?.filter(({ id }) => !waiting.some((team) => team.id === id))
  return (
    <Page title={m.title()} lead={m.lead()}>
      <WaitingTeams />
      <JoinableTeams />
      <Panel title={m.panel()}>
        {teams.isPending && <RowsLoading rows={2} />}
        {teams.isError && <LoadError error={teams.error} retry={() => teams.refetch()} />}
        {joined?.length === 0 && <EmptyState icon="group" text={m.none()} />}
        {joined && joined.length > 0 && (
          <ul className={styles.list}>
            {joined.map((team) => (
              <TeamRow key={team.id} team={team} />
            ))}
          </ul>
        )}
      </Panel>
      <Panel title={m.create()} about={m.createAbout()}>
        <CreateTeam />
      </Panel>
    </Page>
  )
}
