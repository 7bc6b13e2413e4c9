import { LRUCache } from 'lru-cache'
import { runInSlices } from '../../platform/concurrency/time-slices.js'
import type { TeamId } from '../../platform/ids.js'
import type { Steps } from '../../protocols/policy/index.js'
import { teamError } from '../teams/index.js'

/** A team's policies of one version, compiled. */
interface Compiled<Set> {
  version: number
  set: Set
  /** Characters of JSON of its source; the compiled form takes ten to thirty bytes for each. */
  size: number
}

/** Rows of one snapshot: each has the version, and a policy unless the team has none. */
interface Versioned {
  version: number
}

/** Creates the memory that all compiled sets of a node share. The largest team stays below both limits. */
export const createSetCache = () =>
  new LRUCache<string, Compiled<unknown>>({
    max: 1_000,
    maxSize: 32 * 1_048_576,
    sizeCalculation: ({ size }) => Math.max(size, 1),
  })

/**
 * Creates the compiled sets of one kind on this node, for the teams that were requested last.
 * @param kind distinguishes the sets in the cache
 */
export function createCompiledSets<Row extends Versioned, Set>(
  cache: ReturnType<typeof createSetCache>,
  kind: string,
  compile: (rows: Row[], former: Set | undefined) => Steps<Pick<Compiled<Set>, 'size' | 'set'>>,
) {
  const loading = new Map<string, Promise<Compiled<Set>>>()
  const compiling = new Map<TeamId, Promise<Compiled<Set>>>()
  const keyOf = (teamId: TeamId) => `${kind}:${teamId}`
  const peek = (teamId: TeamId) => cache.peek(keyOf(teamId)) as Compiled<Set> | undefined

  async function load(teamId: TeamId, read: () => Promise<Row[]>): Promise<Compiled<Set>> {
    const rows = await read()
    const [first] = rows
    if (!first) throw teamError('organization_not_found')
    // One at a time per team, which may change its policies faster than they are compiled.
    const work = async () => {
      const known = peek(teamId)
      if (known && known.version >= first.version) return known
      const compiled = { version: first.version, ...(await runInSlices(compile(rows, known?.set))) }
      cache.set(keyOf(teamId), compiled)
      return compiled
    }
    const own = Promise.resolve(compiling.get(teamId)).then(work, work)
    compiling.set(teamId, own)
    return own.finally(() => compiling.get(teamId) === own && compiling.delete(teamId))
  }

  return {
    /** Returns the version of the team's compiled set, if there is one. */
    knownVersion: (teamId: TeamId): number | undefined => peek(teamId)?.version,

    /**
     * Returns the team's set of the version that the caller has read, or of a later one.
     * @param read one statement, hence one snapshot; no rows if the team was deleted concurrently
     * @throws organization_not_found
     */
    async of(teamId: TeamId, version: number, read: () => Promise<Row[]>): Promise<Set> {
      const known = cache.get(keyOf(teamId)) as Compiled<Set> | undefined
      if (known?.version === version) return known.set
      // Only callers with the same version share a load: one for an earlier version may have read outdated rows.
      const key = `${teamId}:${version}`
      const joined = loading.get(key)
      // The failure may concern only the other caller's connection.
      if (joined) return (await joined.catch(() => load(teamId, read))).set
      const loaded = load(teamId, read).finally(() => loading.delete(key))
      loading.set(key, loaded)
      return (await loaded).set
    },
  }
}
