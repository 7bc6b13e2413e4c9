interface Session {
  /** the browser and operating system, as "Chrome on Linux" */
  device: string
  userAgent: string | null
  /** ISO 8601 */
  lastSeenAt: string
}

export interface DeviceGroup<T extends Session> extends Session {
  id: string
  /** the one that was used last is the first */
  sessions: T[]
}

export const latestFirst = (a: { lastSeenAt: string }, b: { lastSeenAt: string }): number =>
  b.lastSeenAt.localeCompare(a.lastSeenAt)

/** Groups sessions by device; the group that was used last is the first. @param idOf for groups that also share an IP address, for example */
export function groupByDevice<T extends Session>(
  sessions: readonly T[],
  idOf: (session: T) => string = ({ device }) => device,
): DeviceGroup<T>[] {
  const groups = new Map<string, DeviceGroup<T>>()
  for (const session of [...sessions].sort(latestFirst)) {
    const { device, userAgent, lastSeenAt } = session
    const id = idOf(session)
    const group = groups.get(id)
    if (group) group.sessions.push(session)
    else groups.set(id, { id, device, userAgent, lastSeenAt, sessions: [session] })
  }
  return [...groups.values()]
}
