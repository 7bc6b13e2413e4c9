import { Badge, Button } from '@mantine/core'
import type { SignedInDevice } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/sessions.json'
import { DeviceIcon } from '../../../ui/device-icon'
import { Icon } from '../../../ui/icons/icon'
import styles from '../../../ui/item-row.module.css'
import { RelativeTime } from '../../../ui/relative-time'
import { endSession, sessionsQuery } from './queries'

export function SessionRow({ session }: { session: SignedInDevice }) {
  const write = useWrite({
    act: () => endSession(session.id),
    refresh: [sessionsQuery.queryKey],
    done: () => m.ended({ count: 1 }),
  })
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <DeviceIcon userAgent={session.userAgent} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          {session.device}
          {session.current && (
            <Badge color="green" leftSection={<Icon name="check" size={14} />}>
              {m.thisDevice()}
            </Badge>
          )}
        </p>
        <p className={styles.detail}>
          <span data-numeric>{session.ipAddress ?? m.unknownAddress()}</span>
          {session.team && <span>{session.team.name}</span>}
          <span>
            {m.lastSeen()} <RelativeTime at={session.lastSeenAt} />
          </span>
          <span>
            {m.since()} <RelativeTime at={session.createdAt} />
          </span>
        </p>
      </div>
      {!session.current && (
        <Button
          variant="default"
          loading={write.isPending}
          onClick={() => write.mutate()}
          aria-label={m.endOf({ device: session.device })}
        >
          {m.end()}
        </Button>
      )}
    </li>
  )
}
