import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import events from '../../../messages/en/user-activity.json'
import m from '../../../messages/en/users.json'
import { Icon } from '../../../ui/icons/icon'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { eventIcon } from '../../../ui/values/event-icon'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge } from '../../../ui/values/status-badge'
import { useCurrentTeam } from '../../organizations/current-team'
import { type Activity, type User, userActivityQuery } from '../queries'
import { Part, PartError } from './part'
import styles from './part.module.css'

interface Props {
  user: User
  limit: number
  action?: ReactNode
  /** true for two lines per event, with the IP address */
  isDetailed?: boolean
}

/** The latest events of the user in the audit log of the team. */
export function ActivityPart({ user, limit, action, isDetailed = false }: Props) {
  const { team, me } = useCurrentTeam()
  const can = me.permissions.includes('audit:read')
  const activity = useQuery({ ...userActivityQuery(team.id, user.id, limit), enabled: can })
  if (!can) return null
  return (
    <Part title={m.activity()} action={action}>
      {activity.isPending && <RowsLoading rows={3} height={isDetailed ? 44 : 28} />}
      {activity.isError && <PartError error={activity.error} />}
      {activity.data?.length === 0 && <p className={styles.muted}>{m.noActivity()}</p>}
      <ul className={styles.lines}>
        {activity.data?.map((event) => (
          <Line key={event.id} event={event} isDetailed={isDetailed} />
        ))}
      </ul>
    </Part>
  )
}

function Line({ event, isDetailed }: { event: Activity; isDetailed: boolean }) {
  const { action, result, userId, target, ipAddress, createdAt } = event
  const isBad = result !== 'SUCCESS'
  // Not the user of the page.
  const label = target?.id === userId ? null : target?.label
  // The event of an action that this version does not know has the name of the action.
  const key = action.replaceAll('.', '_')
  const done = events.name({ action: key }) || action
  const name = isBad ? events.failed({ action: key, name: done }) : done
  return (
    <li data-bad={isBad || undefined} data-two={isDetailed || undefined}>
      <Icon name={eventIcon(action)} />
      <div className={styles.text}>
        <span className={styles.name} title={action}>
          {[name, label].filter(Boolean).join(' · ')}
        </span>
        {isDetailed && ipAddress && <span className={styles.detail}>{ipAddress}</span>}
      </div>
      {isBad && <StatusBadge tone="bad">{events.result({ result })}</StatusBadge>}
      <span className={styles.end}>
        <RelativeTime at={createdAt} />
      </span>
    </li>
  )
}
