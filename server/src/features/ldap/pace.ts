import { MINUTE, SECOND } from '../../platform/clock.js'
import type { LdapClient, LdapPage, LdapSearch } from '../../protocols/ldap/index.js'
import { RunFault } from './run-fault.js'

/** A small directory on a slow line is done within it. */
const GRACE = 5 * MINUTE
const FEWEST_A_SECOND = 10

/** Whether a server that has been waited for so long, in milliseconds, keeps others from their turn for hardly anything. */
export const isTooSlow = (waitedMs: number, entries: number): boolean =>
  waitedMs > GRACE && entries < (waitedMs / SECOND) * FEWEST_A_SECOND

export const tooSlow = () => new RunFault('too_slow', 'The directory gives out fewer than ten entries a second')

/**
 * The pages of a search, as long as it goes on at a bearable pace. What we do with a page ourselves is not held against the server.
 * @throws RunFault too_slow; LdapFailure
 */
export async function* atPace(client: LdapClient, search: LdapSearch): AsyncGenerator<LdapPage> {
  let [waited, entries] = [0, 0]
  let since = performance.now()
  for await (const page of client.pages(search)) {
    waited += performance.now() - since
    entries += page.entries.length
    if (isTooSlow(waited, entries)) throw tooSlow()
    yield page
    since = performance.now()
  }
}
