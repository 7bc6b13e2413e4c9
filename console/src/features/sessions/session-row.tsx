import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { SignedInDevice } from '../../api/contract'
import { asProblem, type Problem } from '../../api/problem'
import m from '../../messages/en/sessions.json'
import { DeviceIcon } from '../../ui/device-icon'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Icon } from '../../ui/icons/icon'
import styles from '../../ui/item-row.module.css'
import { RelativeTime } from '../../ui/relative-time'

interface Props {
  session: SignedInDevice
  end: () => Promise<unknown>
}

export function SessionRow({ session, end }: Props) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function endThis() {
    setBusy(true)
    setProblem(null)
    try {
      await end()
    } catch (thrown) {
      setProblem(asProblem(thrown))
      setBusy(false)
    }
  }

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
        <ProblemMessage problem={problem} />
      </div>
      {!session.current && (
        <Button variant="default" loading={busy} onClick={endThis} aria-label={m.endOf({ device: session.device })}>
          {m.end()}
        </Button>
      )}
    </li>
  )
}
