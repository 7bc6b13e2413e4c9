import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/own-teams.json'
import { Panel } from '../../../ui/page/panel'
import { blockedTeamsQuery, waitingTeamsQuery } from '../../organizations/queries'
import styles from './team-row.module.css'
import { WaitingTeamRow } from './waiting-team-row'

/** The teams that added the user and those that the user has blocked; absent if there are none. */
export function WaitingTeams() {
  const waiting = useQuery(waitingTeamsQuery).data ?? []
  const blocked = useQuery(blockedTeamsQuery).data ?? []
  return (
    <>
      {waiting.length > 0 && (
        <Panel title={m.waitingTitle()} about={m.waitingAbout()}>
          <ul className={styles.list}>
            {waiting.map((team) => (
              <WaitingTeamRow key={team.id} team={team} answers={['join', 'block']} />
            ))}
          </ul>
        </Panel>
      )}
      {blocked.length > 0 && (
        <Panel title={m.blocked()} about={m.blockedAbout()}>
          <ul className={styles.list}>
            {blocked.map((team) => (
              <WaitingTeamRow key={team.id} team={team} answers={['unblock']} />
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}
