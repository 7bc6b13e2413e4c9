import { Resolver } from 'node:dns/promises'

/** Reads the TXT records of domains. */
export interface TxtRecords {
  /** Returns the TXT records of a name, each in one string; none if the name does not exist. @throws DnsUnavailable */
  of(name: string): Promise<string[]>
}

/** No name server responded in time, or the lookup failed. */
export class DnsUnavailable extends Error {
  override readonly name = 'DnsUnavailable'
}

const TIMEOUT_MS = 2_000
const TRIES = 2
const MAX_RECORDS = 100

/**
 * Queries name servers, within a limit of time in total: each of several servers has its own tries.
 * @param servers IP addresses with or without a port; default: the name servers of the system
 */
export async function queryNameServers<T>(
  servers: readonly string[] | undefined,
  query: (resolver: Resolver) => Promise<T>,
): Promise<T> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const timeout = setTimeout(() => resolver.cancel(), TIMEOUT_MS * TRIES + 500)
  try {
    return await query(resolver)
  } finally {
    clearTimeout(timeout)
  }
}

/** @param servers IP addresses with or without a port; default: the name servers of the system */
export function createTxtRecords(servers: string[] | undefined): TxtRecords {
  return {
    async of(name) {
      try {
        const records = await queryNameServers(servers, (resolver) => resolver.resolveTxt(name))
        return records.slice(0, MAX_RECORDS).map((parts) => parts.join(''))
      } catch (error) {
        const code = (error as { code?: string }).code ?? ''
        if (['ENOTFOUND', 'ENODATA'].includes(code)) return []
        throw new DnsUnavailable(`The name could not be looked up (${code})`)
      }
    },
  }
}
