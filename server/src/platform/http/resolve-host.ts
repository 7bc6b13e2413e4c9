import { type LookupAddress, lookup as resolveBySystem } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { createFairQueue } from '../fair-queue.js'
import type { TeamId } from '../ids.js'

/** Finds the addresses of a host, IPv4 first. @throws the error of the name server, or of the time limit */
export type ResolveHost = (host: string, asker: Asker) => Promise<LookupAddress[]>

export interface Asker {
  /** The team that causes the request. */
  team: TeamId
  /** Ends the wait for a place. */
  signal?: AbortSignal | undefined
}

/** Lookups of one team at the same time: names whose servers never answer delay no request of another team. */
const PER_TEAM = 8
/** Lookups by the system at the same time: each occupies one of the four threads of the process, and others need a thread too. */
const BY_SYSTEM = 2
const BY_SYSTEM_PER_TEAM = 1

const TIMEOUT_MS = 2_000
const TRIES = 2
const HOSTS_FILE = '/etc/hosts'

/**
 * Asks the name servers without the thread pool of the process. The system's own lookup occupies one of its four threads until the
 * server answers: a few hosts whose servers never do would stop everything else that needs a thread, password hashing included.
 * Like the system it knows `/etc/hosts` and `localhost`. Each team has its own limit of lookups, and those by the system a common one as well.
 * @param servers addresses of name servers, with or without a port; undefined: those of the system
 * @param bySystem whether the system is asked for a name that the servers do not know, which then may be one of a search domain
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

  async function askServersAndSystem(name: string, { team, signal }: Asker): Promise<LookupAddress[]> {
    signal?.throwIfAborted()
    const { addresses, error } = await askServers(name, servers)
    if (addresses.length > 0) return addresses
    if (!bySystem || !isUnknown(error)) throw error ?? new Error(`${name} has no address`)
    return systemLookups.run(team, async () => {
      signal?.throwIfAborted()
      return askSystem(name)
    })
  }

  return async (host, asker) => {
    const name = host.replace(/\.$/, '').toLowerCase()
    if (isIP(name)) return [asAddress(name)]
    const local = await addressesInFile(name)
    if (local.length > 0) return local
    if (name === 'localhost' || name.endsWith('.localhost')) return [asAddress('127.0.0.1'), asAddress('::1')]
    return lookups.run(asker.team, () => askServersAndSystem(name, asker))
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

async function askServers(
  name: string,
  servers: readonly string[] | undefined,
): Promise<{ addresses: LookupAddress[]; error?: unknown }> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  // Several servers, each with its tries: the whole has an end too.
  const tooLong = setTimeout(() => resolver.cancel(), TIMEOUT_MS * TRIES + 500)
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(tooLong)
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  return { addresses: found.map(asAddress), ...(four.status === 'rejected' && { error: four.reason }) }
}

const isUnknown = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes((error as { code?: string }).code ?? '')

const askSystem = (name: string): Promise<LookupAddress[]> =>
  new Promise((resolve, reject) => {
    resolveBySystem(name, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  })
