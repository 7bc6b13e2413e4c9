import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { SignedInDevice } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import factors from '../../../messages/en/factors.json'
import m from '../../../messages/en/sessions.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import { Icon } from '../../../ui/icons/icon'
import stack from '../../../ui/layout/stack.module.css'
import styles from '../../../ui/page/item-row.module.css'
import { More } from '../../../ui/page/more'
import { DeviceIcon } from '../../../ui/values/device-icon'
import { RelativeTime } from '../../../ui/values/relative-time'
import { exactSecond } from '../../../ui/values/time'
import { devicesQuery, forgetDevice } from '../security/factors/calls'
import { endSession, endSessions, sessionsQuery } from './queries'
import type { SessionGroup } from './session-groups'

/** The sessions of one device: ends one or all of them, and forgets the device. */
export function SessionGroupRow({ group }: { group: SessionGroup }) {
  const { device, sessions, current, lastSeenAt, remembered } = group
  const [asking, setAsking] = useState(false)
  const address = group.ipAddress ?? m.unknownAddress()
  const place = `${device}, ${address}`
  const ending = sessions.filter((session) => !session.current)
  const end = useWrite({
    act: () => endSessions(ending.map(({ id }) => id)),
    refresh: [sessionsQuery.queryKey],
    done: () => m.ended({ count: ending.length }),
    showsError: ending.length > 1,
  })
  const forget = useWrite({
    act: () => Promise.all(remembered.map(({ id }) => forgetDevice(id))),
    refresh: [devicesQuery.queryKey],
    done: () => factors.forgotten({ device }),
  })
  const [only] = sessions
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <DeviceIcon userAgent={group.userAgent} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          {device}
          {current && (
            <Badge color="green" leftSection={<Icon name="check" size={14} />}>
              {m.thisDevice()}
            </Badge>
          )}
        </p>
        <p className={styles.detail}>
          <span data-numeric>{address}</span>
          {sessions.length === 1 && only?.team && <span>{only.team.name}</span>}
          <span>
            {m.lastSeen()} <RelativeTime at={lastSeenAt} />
          </span>
          {sessions.length === 1 && only && (
            <span>
              {m.since()} <RelativeTime at={only.createdAt} />
            </span>
          )}
          {remembered.length > 0 && <span>{m.remembered()}</span>}
        </p>
      </div>
      <div className={stack.row}>
        {remembered.length > 0 && (
          <Button
            variant="default"
            loading={forget.isPending}
            aria-label={factors.forgetOf({ device: place })}
            onClick={() => forget.mutate()}
          >
            {factors.forget()}
          </Button>
        )}
        {ending.length > 0 && (
          <Button
            variant="default"
            loading={end.isPending}
            aria-label={m.endOf({ count: ending.length, device: place })}
            onClick={() => (ending.length > 1 ? setAsking(true) : end.mutate())}
          >
            {m.end({ count: ending.length })}
          </Button>
        )}
      </div>
      {sessions.length > 1 && (
        <div className={styles.entries}>
          <More summary={m.count({ count: sessions.length })}>
            <ul className={styles.list}>
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} place={place} />
              ))}
            </ul>
          </More>
        </div>
      )}
      <ConfirmDialog
        opened={asking}
        title={m.endGroupTitle({ device })}
        text={m.endText({ count: ending.length })}
        verb={m.end({ count: ending.length })}
        act={() => end.mutateAsync()}
        close={() => setAsking(false)}
      />
    </li>
  )
}

/** One of several sessions of a device. */
function SessionRow({ session, place }: { session: SignedInDevice; place: string }) {
  const end = useWrite({
    act: () => endSession(session.id),
    refresh: [sessionsQuery.queryKey],
    done: () => m.ended({ count: 1 }),
  })
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name="browser" />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          <span>
            {m.since()} <RelativeTime at={session.createdAt} />
          </span>
          {session.current && (
            <Badge color="green" leftSection={<Icon name="check" size={14} />}>
              {m.thisSession()}
            </Badge>
          )}
        </p>
        <p className={styles.detail}>
          {session.team && <span>{session.team.name}</span>}
          <span>
            {m.lastSeen()} <RelativeTime at={session.lastSeenAt} />
          </span>
        </p>
      </div>
      {!session.current && (
        <Button
          variant="default"
          loading={end.isPending}
          onClick={() => end.mutate()}
          aria-label={m.endSince({ device: place, time: exactSecond(session.createdAt) })}
        >
          {m.end({ count: 1 })}
        </Button>
      )}
    </li>
  )
}
