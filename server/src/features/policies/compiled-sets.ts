import { inTurns } from '../../platform/concurrency/time-slices.js'
import type { TeamId } from '../../platform/ids.js'
import type { Steps } from '../../protocols/policy/index.js'
import { teamError } from '../teams/index.js'
import type { Shelf, Sized } from './shelf.js'

/** What was compiled of a team's policies of one version. */
export interface Compiled<Set> extends Sized {
  version: number
  set: Set
}

/** Rows of one moment: each with the version, and with a policy unless the team has none. */
interface Versioned {
  version: number
}

/** Sets of one kind that this node has compiled, of the teams that asked last. */
export interface CompiledSets<Row extends Versioned, Set> {
  /** What there is of the team, of whatever version. */
  known(teamId: TeamId): Compiled<Set> | undefined
  /**
   * The team's set of the version that the caller has read, or of a later one.
   * @param read by one statement, which reads one snapshot; nothing where the team was deleted meanwhile
   * @throws organization_not_found
   */
  of(teamId: TeamId, version: number, read: () => Promise<Row[]>): Promise<Set>
}

export function createCompiledSets<Row extends Versioned, Set>(
  shelf: Shelf,
  compile: (rows: Row[], former: Set | undefined) => Steps<Sized & { set: Set }>,
): CompiledSets<Row, Set> {
  const stored = new Map<TeamId, Compiled<Set>>()
  const loading = new Map<string, Promise<Compiled<Set>>>()
  const compiling = new Map<TeamId, Promise<Compiled<Set>>>()

  function keep(teamId: TeamId, compiled: Compiled<Set>): void {
    const former = stored.get(teamId)
    if (former) shelf.take(former)
    stored.set(teamId, compiled)
    shelf.put(compiled, () => stored.delete(teamId))
  }

  async function load(teamId: TeamId, read: () => Promise<Row[]>): Promise<Compiled<Set>> {
    const rows = await read()
    const [first] = rows
    if (!first) throw teamError('organization_not_found')
    // One at a time of a team, which may change its policies faster than they are compiled.
    const work = async () => {
      const known = stored.get(teamId)
      if (known && known.version >= first.version) return known
      const compiled = { version: first.version, ...(await inTurns(compile(rows, known?.set))) }
      keep(teamId, compiled)
      return compiled
    }
    const own = Promise.resolve(compiling.get(teamId)).then(work, work)
    compiling.set(teamId, own)
    return own.finally(() => compiling.get(teamId) === own && compiling.delete(teamId))
  }

  return {
    known: (teamId) => stored.get(teamId),
    async of(teamId, version, read) {
      const known = stored.get(teamId)
      if (known?.version === version) {
        shelf.use(known)
        return known.set
      }
      // Only those join who read the same version: a load that began for an earlier one may have read what was there before.
      const key = `${teamId}:${version}`
      const joined = loading.get(key)
      // It may be the other's connection alone that was lost.
      if (joined) return (await joined.catch(() => load(teamId, read))).set
      const loaded = load(teamId, read).finally(() => loading.delete(key))
      loading.set(key, loaded)
      return (await loaded).set
    },
  }
}
