import { useQuery } from '@tanstack/react-query'
import type { Me, Team } from '../../api/contract'
import m from '../../messages/en/overview.json'
import roles from '../../messages/en/roles.json'
import { activeSessionsQuery } from './queries'
import styles from './team-facts.module.css'

export function TeamFacts({ team, me }: { team: Team; me: Me }) {
  const active = useQuery({ ...activeSessionsQuery(team.id), enabled: me.permissions.includes('org:read') }).data
  const role = team.role ?? me.team?.role
  return (
    <dl className={styles.tiles}>
      {role && (
        <div className={styles.tile}>
          <dt>{m.role()}</dt>
          <dd>{roles.name({ role })}</dd>
        </div>
      )}
      <div className={styles.tile}>
        <dt>{m.teamUrl()}</dt>
        <dd className={styles.code}>/t/{team.slug}</dd>
      </div>
      {active && (
        <div className={styles.tile}>
          <dt>{m.activeUsers()}</dt>
          <dd>
            <span data-numeric>{active.activeSessions.toLocaleString('en')}</span>
            <span className={styles.about}>{m.activeAbout({ hours: active.periodHours })}</span>
          </dd>
        </div>
      )}
    </dl>
  )
}
