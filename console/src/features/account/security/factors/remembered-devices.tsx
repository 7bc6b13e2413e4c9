import { Badge, Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { RememberedDevice } from '../../../../api/contract'
import { useWrite } from '../../../../api/use-write'
import m from '../../../../messages/en/factors.json'
import sessionsMessages from '../../../../messages/en/sessions.json'
import { Icon } from '../../../../ui/icons/icon'
import stack from '../../../../ui/layout/stack.module.css'
import styles from '../../../../ui/page/item-row.module.css'
import { LoadError } from '../../../../ui/page/load-error'
import { Panel } from '../../../../ui/page/panel'
import { RowsLoading } from '../../../../ui/page/rows-loading'
import { DeviceIcon } from '../../../../ui/values/device-icon'
import { RelativeTime } from '../../../../ui/values/relative-time'
import { devicesQuery, forgetDevice } from './calls'

interface Props {
  devices: UseQueryResult<RememberedDevice[]>
  /** those without a session; the others are listed with their sessions */
  shown: RememberedDevice[]
}

/** The devices from which sign-ins count as usual, without those that are signed in. */
export function RememberedDevices({ devices, shown }: Props) {
  if (devices.data && devices.data.length > 0 && shown.length === 0) return null
  return (
    <Panel title={m.devices()} about={m.devicesAbout()}>
      <div className={stack.fields}>
        {devices.isPending && <RowsLoading rows={2} height={72} />}
        {devices.isError && <LoadError error={devices.error} retry={() => devices.refetch()} />}
        {devices.data?.length === 0 && <p className={stack.dimmed}>{m.devicesNone()}</p>}
        {shown.length > 0 && (
          <ul className={styles.list}>
            {shown.map((device) => (
              <Row key={device.id} device={device} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )
}

function Row({ device }: { device: RememberedDevice }) {
  const write = useWrite({
    act: () => forgetDevice(device.id),
    refresh: [devicesQuery.queryKey],
    done: () => m.forgotten({ device: device.device }),
  })
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
      </div>
      <Button
        variant="default"
        loading={write.isPending}
        aria-label={m.forgetOf({ device: device.device })}
        onClick={() => write.mutate()}
      >
        {m.forget()}
      </Button>
    </li>
  )
}
