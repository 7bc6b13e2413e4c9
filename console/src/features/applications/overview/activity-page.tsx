import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/applications.json'
import permissions from '../../../messages/en/permissions.json'
import events from '../../../messages/en/user-activity.json'
import { Icon } from '../../../ui/icons/icon'
import { EmptyState } from '../../../ui/page/empty-state'
import rows from '../../../ui/page/item-row.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { eventIcon } from '../../../ui/values/event-icon'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge } from '../../../ui/values/status-badge'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { needsText } from '../needs-permission'
import { type AuditEvent, activityQuery } from './activity'

const SHOWN = 50

/** The newest entries about the application in the audit log of the team. */
export function ActivityPage() {
  const { team, me } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const mayRead = me.permissions.includes('audit:read')
  const activity = useQuery({ ...activityQuery(team.id, id, SHOWN), enabled: mayRead })
  if (!mayRead) return <Panel title={permissions.noAccess()} about={needsText('audit:read')} />
  return (
    <Panel title={m.activity()} about={m.activityAbout()}>
      {activity.isPending && <RowsLoading rows={5} height={44} />}
      {activity.isError && <LoadError error={activity.error} retry={() => activity.refetch()} />}
      {activity.data?.length === 0 && <EmptyState icon="list" text={m.noActivity()} />}
      {activity.data && activity.data.length > 0 && (
        <ul className={rows.list}>
          {activity.data.map((event) => (
            <Event key={event.id} event={event} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Event({ event: { action, result, actor, ipAddress, createdAt } }: { event: AuditEvent }) {
  const isBad = result !== 'SUCCESS'
  // The event of an action that this version does not know has the name of the action.
  const key = action.replaceAll('.', '_')
  const done = events.name({ action: key }) || action
  return (
    <li className={rows.row}>
      <span className={rows.icon} data-tone={isBad ? 'bad' : undefined}>
        <Icon name={eventIcon(action)} />
      </span>
      <div className={rows.text}>
        <p className={rows.title}>
          {isBad ? events.failed({ action: key, name: done }) : done}
          {isBad && <StatusBadge tone="bad">{events.result({ result })}</StatusBadge>}
        </p>
        <p className={rows.detail}>
          <RelativeTime at={createdAt} />
          {actor?.email && <span>{actor.email}</span>}
          {ipAddress && <span>{ipAddress}</span>}
        </p>
      </div>
    </li>
  )
}
