import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import m from '../../messages/en/home.json'
import sessions from '../../messages/en/sessions.json'
import { Panel } from '../../ui/page/panel'
import { DeviceIcon } from '../../ui/values/device-icon'
import { RelativeTime } from '../../ui/values/relative-time'
import { sessionsQuery } from '../account/sessions/queries'
import styles from './recent-sign-ins.module.css'

/** As many as the check-up beside it has rows. */
const SHOWN = 4

/** The last sign-ins of the user on devices that are still signed in; nothing if they require a second factor. */
export function RecentSignIns() {
  const latest = [...(useQuery(sessionsQuery).data ?? [])]
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, SHOWN)
  if (latest.length === 0) return null
  return (
    <Panel title={m.signIns()} action={<Link to="/account/sessions">{m.viewSessions()}</Link>}>
      <ul className={styles.list}>
        {latest.map(({ id, device, userAgent, current, ipAddress, createdAt }) => (
          <li key={id} className={styles.row}>
            <span className={styles.icon}>
              <DeviceIcon userAgent={userAgent} />
            </span>
            <span className={styles.device}>{device}</span>
            {current && (
              <Badge color="green" className={styles.badge as string}>
                {sessions.thisDevice()}
              </Badge>
            )}
            <span className={styles.address}>{ipAddress ?? sessions.unknownAddress()}</span>
            <span className={styles.time}>
              <RelativeTime at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
