import { Resolver } from 'node:dns/promises'

/** Looks up what a domain says of itself. */
export interface TxtRecords {
  /** The texts of a name, each whole; none for a name that there is not. @throws DnsUnavailable */
  of(name: string): Promise<string[]>
}

/** No server answered in time, or none could say. */
export class DnsUnavailable extends Error {
  override readonly name = 'DnsUnavailable'
}

const TIMEOUT_MS = 2_000
const TRIES = 2
const MOST_RECORDS = 100

/** @param servers addresses with or without a port; those of the system when there are none */
export function createTxtRecords(servers: string[] | undefined): TxtRecords {
  return {
    async of(name) {
      const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
      if (servers) resolver.setServers(servers)
      // Several servers, each with its tries: the whole has an end too.
      const tooLong = setTimeout(() => resolver.cancel(), TIMEOUT_MS * TRIES + 500)
      try {
        const records = await resolver.resolveTxt(name)
        return records.slice(0, MOST_RECORDS).map((parts) => parts.join(''))
      } catch (error) {
        const code = (error as { code?: string }).code ?? ''
        if (['ENOTFOUND', 'ENODATA'].includes(code)) return []
        throw new DnsUnavailable(`The name could not be looked up (${code})`)
      } finally {
        clearTimeout(tooLong)
      }
    },
  }
}
