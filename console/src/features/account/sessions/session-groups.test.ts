import { describe, expect, it } from 'vitest'
import type { RememberedDevice, SignedInDevice } from '../../../api/contract'
import { groupSessions } from './session-groups'

let ids = 0

function session(device: string, ipAddress: string, lastSeenAt: string, current = false): SignedInDevice {
  ids += 1
  const team = { id: 't', name: 'Team' }
  const at = `2026-01-0${lastSeenAt}T00:00:00.000Z`
  const times = { createdAt: at, lastSeenAt: at, expiresAt: at }
  return { id: String(ids), current, method: 'password', device, userAgent: device, ipAddress, team, ...times }
}

const remembered = (device: string, ipAddress: string, current = false): RememberedDevice => ({
  id: `${device} ${ipAddress}`,
  device,
  current,
  ipAddress,
  userAgent: device,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSeenAt: '2026-01-01T00:00:00.000Z',
})

describe('groupSessions', () => {
  it('groups by device and IP address, with this device first and the newest next', () => {
    const { groups } = groupSessions(
      [
        session('Firefox on Linux', '192.0.2.1', '1'),
        session('Chrome on Linux', '192.0.2.1', '2', true),
        session('Firefox on Linux', '192.0.2.1', '5'),
        session('Firefox on Linux', '192.0.2.9', '4'),
      ],
      [],
    )
    expect(groups.map(({ device, ipAddress, sessions }) => [device, ipAddress, sessions.length])).toEqual([
      ['Chrome on Linux', '192.0.2.1', 1],
      ['Firefox on Linux', '192.0.2.1', 2],
      ['Firefox on Linux', '192.0.2.9', 1],
    ])
    expect(groups[0]?.current).toBe(true)
    expect(groups[1]?.sessions.map(({ lastSeenAt }) => lastSeenAt.slice(8, 10))).toEqual(['05', '01'])
  })

  it('lists a remembered device once: with its sessions, or else separately', () => {
    const { groups, others } = groupSessions(
      [session('Chrome on Linux', '192.0.2.1', '1', true)],
      [remembered('Chrome on Linux', '192.0.2.7', true), remembered('Safari on iPhone', '192.0.2.1')],
    )
    expect(groups[0]?.remembered).toHaveLength(1)
    expect(others.map(({ device }) => device)).toEqual(['Safari on iPhone'])
  })
})
