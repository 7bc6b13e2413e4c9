import { HOUR, MINUTE, SECOND } from '../../../platform/clock.js'
import type { LdapClient, LdapPage, LdapSearch } from '../../../protocols/ldap/index.js'
import { RunError, type RunningSync } from './running-sync.js'

/** The time that even a very small directory on a slow connection may take. */
const GRACE = 5 * MINUTE
const MIN_ENTRIES_PER_SECOND = 10
/** The maximum duration of a sync. */
export const MAX_DURATION = 2 * HOUR

/** Returns whether a server is so slow that its sync occupies a slot for too few entries. `waitedMs` is the time spent waiting for it. */
export const isTooSlow = (waitedMs: number, entries: number): boolean =>
  waitedMs > GRACE && entries < (waitedMs / SECOND) * MIN_ENTRIES_PER_SECOND

export const tooSlow = () =>
  new RunError('too_slow', `The directory returns fewer than ${MIN_ENTRIES_PER_SECOND} entries per second`)

/** @throws RunError too_long */
export function requireTimeLeft({ end }: RunningSync): void {
  if (performance.now() > end) throw new RunError('too_long', `The sync took longer than ${MAX_DURATION / HOUR} hours`)
}

/**
 * Yields the pages of a search until the deadline. Only the time spent waiting for the server counts for the rate, not our own processing.
 * @throws RunError too_slow, too_long; LdapFailure
 */
export async function* pagesInTime(
  sync: RunningSync,
  client: LdapClient,
  search: LdapSearch,
): AsyncGenerator<LdapPage> {
  let [waited, entries] = [0, 0]
  let since = performance.now()
  for await (const page of client.pages(search)) {
    waited += performance.now() - since
    entries += page.entries.length
    if (isTooSlow(waited, entries)) throw tooSlow()
    requireTimeLeft(sync)
    yield page
    since = performance.now()
  }
}
