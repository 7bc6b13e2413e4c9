import { type LookupAddress, lookup as resolveBySystem } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { createFairQueue } from '../concurrency/fair-queue.js'
import { queryNameServers } from '../dns.js'
import type { TeamId } from '../ids.js'

/** Resolves a host to its addresses, IPv4 first. @throws the error of the name server, or of the time limit */
export type ResolveHost = (host: string, options: LookupOptions) => Promise<LookupAddress[]>

export interface LookupOptions {
  /** The team that causes the request. */
  team: TeamId
  /** Aborts the wait in the queue. */
  signal?: AbortSignal | undefined
}

/** Concurrent lookups of one team: name servers that never respond delay no request of another team. */
const PER_TEAM = 8
/** Concurrent lookups by the system: each occupies one of the four threads of the process, which other work needs too. */
const BY_SYSTEM = 2
const BY_SYSTEM_PER_TEAM = 1

const HOSTS_FILE = '/etc/hosts'

/**
 * Queries the name servers without the thread pool of the process. A lookup by the system occupies one of its four threads until the
 * server responds: a few hosts without a responding server would block everything else that needs a thread, such as password hashing.
 * Supports `/etc/hosts` and `localhost` like the system. Lookups are limited per team, and those by the system also in total.
 * @param servers IP addresses of name servers, with or without a port; default: those of the system
 * @param bySystem whether the system resolves names that the servers do not know, which can be names of a search domain
 */
export function createResolveHost({
  servers,
  bySystem,
}: {
  servers: readonly string[] | undefined
  bySystem: boolean
}): ResolveHost {
  const lookups = createFairQueue(Number.POSITIVE_INFINITY, PER_TEAM)
  const systemLookups = createFairQueue(BY_SYSTEM, BY_SYSTEM_PER_TEAM)

  async function resolveName(name: string, { team, signal }: LookupOptions): Promise<LookupAddress[]> {
    signal?.throwIfAborted()
    const { addresses, error } = await queryServers(name, servers)
    if (addresses.length > 0) return addresses
    if (!bySystem || !isUnknown(error)) throw error ?? new Error(`${name} has no address`)
    return systemLookups.run(team, async () => {
      signal?.throwIfAborted()
      return querySystem(name)
    })
  }

  return async (host, options) => {
    const name = host.replace(/\.$/, '').toLowerCase()
    if (isIP(name)) return [asAddress(name)]
    const local = await addressesInFile(name)
    if (local.length > 0) return local
    if (name === 'localhost' || name.endsWith('.localhost')) return [asAddress('127.0.0.1'), asAddress('::1')]
    return lookups.run(options.team, () => resolveName(name, options))
  }
}

const asAddress = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })

async function addressesInFile(name: string): Promise<LookupAddress[]> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '')
  const entries = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
  return entries
    .filter(([address = '', ...names]) => isIP(address) && names.some((one) => one.toLowerCase() === name))
    .map(([address = '']) => asAddress(address))
    .sort((one, other) => one.family - other.family)
}

async function queryServers(
  name: string,
  servers: readonly string[] | undefined,
): Promise<{ addresses: LookupAddress[]; error?: unknown }> {
  const [four, six] = await queryNameServers(servers, (resolver) =>
    Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]),
  )
  const found = [four, six].flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  return { addresses: found.map(asAddress), ...(four.status === 'rejected' && { error: four.reason }) }
}

const isUnknown = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes((error as { code?: string }).code ?? '')

const querySystem = (name: string): Promise<LookupAddress[]> =>
  new Promise((resolve, reject) => {
    resolveBySystem(name, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  })
