import type { RememberedDevice, SignedInDevice } from '../../../api/contract'
import { type DeviceGroup, groupByDevice } from '../../../ui/values/device-groups'

/** The sessions of one browser on one operating system and IP address. */
export interface SessionGroup extends DeviceGroup<SignedInDevice> {
  ipAddress: string | null
  /** whether it contains the session of this browser */
  current: boolean
  /** the remembered devices of the same browser */
  remembered: RememberedDevice[]
}

const placeOf = ({ device, ipAddress }: SignedInDevice | RememberedDevice) => `${device}\n${ipAddress ?? ''}`

/**
 * Groups sessions by device, the present one first, then by last use. A remembered device belongs to the group of its browser; `others`
 * has those without a session.
 */
export function groupSessions(sessions: SignedInDevice[], devices: RememberedDevice[]) {
  const groups = groupByDevice(sessions, placeOf)
    .map(
      (group): SessionGroup => ({
        ...group,
        ipAddress: group.sessions[0]?.ipAddress ?? null,
        current: group.sessions.some(({ current }) => current),
        remembered: [],
      }),
    )
    .sort((a, b) => Number(b.current) - Number(a.current))
  const others = devices.filter((device) => {
    // The IP address of this browser may have changed since it was remembered.
    const group = groups.find(({ id, current }) => id === placeOf(device) || (device.current && current))
    group?.remembered.push(device)
    return group === undefined
  })
  return { groups, others }
}
