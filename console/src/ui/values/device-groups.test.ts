import { describe, expect, it } from 'vitest'
import { groupByDevice } from './device-groups'

const session = (device: string, day: number, ipAddress: string) => ({
  device,
  userAgent: device,
  ipAddress,
  lastSeenAt: `2026-01-0${day}T00:00:00.000Z`,
})

const sessions = [
  session('Firefox on Linux', 1, '192.0.2.1'),
  session('Chrome on Linux', 2, '192.0.2.1'),
  session('Firefox on Linux', 3, '192.0.2.2'),
]

describe('groupByDevice', () => {
  it('groups by device, with the group and the session that were used last first', () => {
    const groups = groupByDevice(sessions).map((group) => [
      group.device,
      group.lastSeenAt.slice(8, 10),
      group.sessions.map(({ ipAddress }) => ipAddress),
    ])
    expect(groups).toEqual([
      ['Firefox on Linux', '03', ['192.0.2.2', '192.0.2.1']],
      ['Chrome on Linux', '02', ['192.0.2.1']],
    ])
  })

  it('groups by another ID', () => {
    const groups = groupByDevice(sessions, ({ device, ipAddress }) => `${device} ${ipAddress}`)
    expect(groups.map(({ id }) => id)).toEqual([
      'Firefox on Linux 192.0.2.2',
      'Chrome on Linux 192.0.2.1',
      'Firefox on Linux 192.0.2.1',
    ])
  })
})
