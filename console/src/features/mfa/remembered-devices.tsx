import { Badge, Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RememberedDevice } from '../../api/contract'
import m from '../../messages/en/factors.json'
import sessionsMessages from '../../messages/en/sessions.json'
import { announce } from '../../ui/announcer'
import { DeviceIcon } from '../../ui/device-icon'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Icon } from '../../ui/icons/icon'
import styles from '../../ui/item-row.module.css'
import { LoadError } from '../../ui/load-error'
import { Notice } from '../../ui/notice'
import { Panel } from '../../ui/panel'
import { RelativeTime } from '../../ui/relative-time'
import { RowsLoading } from '../../ui/rows-loading'
import stack from '../../ui/stack.module.css'
import { devicesQuery, forgetDevice } from './calls'
import { useAttempt } from './use-attempt'

/** The devices from which sign-ins count as usual. */
export function RememberedDevices() {
  const queries = useQueryClient()
  const devices = useQuery(devicesQuery)
  const [said, setSaid] = useState<string | null>(null)

  async function forget({ id, device }: RememberedDevice) {
    await forgetDevice(id)
    await queries.invalidateQueries({ queryKey: devicesQuery.queryKey })
    setSaid(m.forgotten({ device }))
    announce(m.forgotten({ device }))
  }

  return (
    <Panel title={m.devices()} about={m.devicesAbout()}>
      <div className={stack.fields}>
        {said && (
          <Notice kind="success">
            <p>{said}</p>
          </Notice>
        )}
        {devices.isPending && <RowsLoading rows={2} height={72} />}
        {devices.isError && <LoadError error={devices.error} retry={() => devices.refetch()} />}
        {devices.data?.length === 0 && <p className={stack.dimmed}>{m.devicesNone()}</p>}
        {devices.data && devices.data.length > 0 && (
          <ul className={styles.list}>
            {devices.data.map((device) => (
              <Row key={device.id} device={device} forget={() => forget(device)} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )
}

function Row({ device, forget }: { device: RememberedDevice; forget: () => Promise<void> }) {
  const { busy, problem, attempt } = useAttempt()
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <DeviceIcon userAgent={device.userAgent} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          {device.device}
          {device.current && (
            <Badge color="green" leftSection={<Icon name="check" size={14} />}>
              {sessionsMessages.thisDevice()}
            </Badge>
          )}
        </p>
        <p className={styles.detail}>
          <span data-numeric>{device.ipAddress ?? sessionsMessages.unknownAddress()}</span>
          <span>
            {sessionsMessages.lastSeen()} <RelativeTime at={device.lastSeenAt} />
          </span>
          <span>
            {m.firstSeen()} <RelativeTime at={device.createdAt} />
          </span>
        </p>
        <ProblemMessage problem={problem} />
      </div>
      <Button
        variant="default"
        loading={busy}
        aria-label={m.forgetOf({ device: device.device })}
        onClick={() => attempt(forget)}
      >
        {m.forget()}
      </Button>
    </li>
  )
}
