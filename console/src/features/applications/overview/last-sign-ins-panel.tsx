import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import m from '../../../messages/en/applications.json'
import events from '../../../messages/en/user-activity.json'
import rows from '../../../ui/page/item-row.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { Monogram } from '../../../ui/values/monogram'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge } from '../../../ui/values/status-badge'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { type AuditEvent, lastSignInsQuery } from './activity'

const SHOWN = 4

/** The newest sign-ins to the application. */
export function LastSignInsPanel() {
  const { team } = useCurrentTeam()
  const application = useCurrentApplication()
  const signIns = useQuery(lastSignInsQuery(team.id, application, SHOWN))
  const isEmpty = signIns.data?.length === 0
  return (
    <Panel
      title={m.lastSignIns()}
      about={isEmpty ? m.noSignIns() : undefined}
      action={
        !isEmpty && (
          <Link to="/t/$slug/applications/$id/activity" params={{ slug: team.slug, id: application.id }}>
            {m.viewAll()}
          </Link>
        )
      }
    >
      {signIns.isPending && <RowsLoading rows={2} height={44} />}
      {signIns.isError && <LoadError error={signIns.error} retry={() => signIns.refetch()} />}
      {signIns.data && !isEmpty && (
        <ul className={rows.list}>
          {signIns.data.map((event) => (
            <Row key={event.id} event={event} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Row({ event: { actor, ipAddress, createdAt, result } }: { event: AuditEvent }) {
  const name = actor?.email ?? m.unknownUser()
  return (
    <li className={rows.row}>
      <Monogram of={name} size={22} round />
      <div className={rows.text}>
        <p className={rows.title}>{name}</p>
        <p className={rows.detail}>
          <RelativeTime at={createdAt} />
          {ipAddress && <span>{ipAddress}</span>}
        </p>
      </div>
      {result !== 'SUCCESS' && <StatusBadge tone="bad">{events.result({ result })}</StatusBadge>}
    </li>
  )
}
