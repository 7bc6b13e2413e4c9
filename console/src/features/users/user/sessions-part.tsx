import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import m from '../../../messages/en/users.json'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { type DeviceGroup, groupByDevice } from '../../../ui/values/device-groups'
import { DeviceIcon } from '../../../ui/values/device-icon'
import { RelativeTime } from '../../../ui/values/relative-time'
import { useCurrentTeam } from '../../organizations/current-team'
import { type Session, type User, userSessionsQuery } from '../queries'
import { Part, PartError } from './part'
import styles from './part.module.css'

/** The sessions of the user in this team, by device. */
export function SessionsPart({ user, action }: { user: User; action?: ReactNode }) {
  const { team } = useCurrentTeam()
  const sessions = useQuery(userSessionsQuery(team.id, user.id))
  return (
    <Part title={m.sessions()} count={sessions.data?.length} action={sessions.data?.length ? action : undefined}>
      {sessions.isPending && <RowsLoading rows={2} height={44} />}
      {sessions.isError && <PartError error={sessions.error} />}
      {sessions.data?.length === 0 && <p className={styles.muted}>{m.noSessions()}</p>}
      <ul className={styles.lines}>
        {groupByDevice(sessions.data ?? []).map((group) => (
          <Line key={group.id} group={group} />
        ))}
      </ul>
    </Part>
  )
}

function Line({ group: { device, userAgent, sessions, lastSeenAt } }: { group: DeviceGroup<Session> }) {
  const addresses = [...new Set(sessions.flatMap(({ ipAddress }) => ipAddress ?? []))]
  const [latest, ...others] = addresses
  const details = [
    m.sessionCount({ count: sessions.length }),
    latest,
    others.length > 0 && m.moreAddresses({ count: others.length }),
  ]
  return (
    <li data-two>
      <DeviceIcon userAgent={userAgent} />
      <div className={styles.text}>
        <span className={styles.name}>{device}</span>
        <span className={styles.detail} title={addresses.join(', ')}>
          {details.filter(Boolean).join(' · ')}
        </span>
      </div>
      <span className={styles.end}>
        <RelativeTime at={lastSeenAt} />
      </span>
    </li>
  )
}
