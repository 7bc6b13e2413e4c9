import { useQuery } from '@tanstack/react-query'
import type { Me, Team } from '../../api/contract'
import { roleName, teamWords as words } from '../../words'
import { activeSessionsQuery } from './queries'
import styles from './team-facts.module.css'

export function TeamFacts({ team, me }: { team: Team; me: Me }) {
  const active = useQuery({ ...activeSessionsQuery(team.id), enabled: me.permissions.includes('org:read') }).data
  const role = team.role ?? me.team?.role
  return (
    <dl className={styles.tiles}>
      {role && (
        <div className={styles.tile}>
          <dt>{words.yourRole}</dt>
          <dd>{roleName(role)}</dd>
        </div>
      )}
      <div className={styles.tile}>
        <dt>{words.address}</dt>
        <dd className={styles.code}>/t/{team.slug}</dd>
      </div>
      {active && (
        <div className={styles.tile}>
          <dt>{words.active}</dt>
          <dd>
            <span data-numeric>{active.activeSessions.toLocaleString('en')}</span>
            <span className={styles.about}>{words.activeAbout(active.periodHours)}</span>
          </dd>
        </div>
      )}
    </dl>
  )
}
