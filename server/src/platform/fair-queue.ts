/** Work that has to wait for a place, of which there are few. */
export interface FairQueue {
  /**
   * Runs the work when a place is free. Callers with different keys take turns; those with one key are served in order.
   * @param key whose turn it uses, such as a team
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** How many callers wait, or how many of one key. */
  waiting(key?: string): number
  /** Whether a caller with this key would wait. */
  wouldWait(key: string): boolean
}

/**
 * @param places how much work runs at once
 * @param perKey how much of one key; as much as there are places by default
 */
export function createFairQueue(places: number, perKey = places): FairQueue {
  /** Those that wait, by key, in the order of the keys' turns. */
  const lines = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let all = 0

  const wouldWait = (key: string): boolean => all >= places || (running.get(key) ?? 0) >= perKey

  function count(key: string, change: 1 | -1): void {
    all += change
    const now = (running.get(key) ?? 0) + change
    if (now > 0) running.set(key, now)
    else running.delete(key)
  }

  /** Gives the free place to the first key in turn that may have it, before anyone who comes later. */
  function passOn(): void {
    for (const [key, line] of lines) {
      if (wouldWait(key)) continue
      const [begin, ...rest] = line
      lines.delete(key)
      if (rest.length > 0) lines.set(key, rest)
      count(key, 1)
      begin?.()
      return
    }
  }

  async function waitForPlace(key: string): Promise<void> {
    if (!wouldWait(key)) return count(key, 1)
    await new Promise<void>((begin) => lines.set(key, [...(lines.get(key) ?? []), begin]))
  }

  return {
    wouldWait,
    async run(key, work) {
      await waitForPlace(key)
      try {
        return await work()
      } finally {
        count(key, -1)
        passOn()
      }
    },
    waiting(key) {
      if (key !== undefined) return lines.get(key)?.length ?? 0
      return [...lines.values()].reduce((sum, line) => sum + line.length, 0)
    },
  }
}
