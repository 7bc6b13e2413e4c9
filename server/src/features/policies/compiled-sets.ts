import { runInSlices } from '../../platform/concurrency/time-slices.js'
import type { TeamId } from '../../platform/ids.js'
import type { Steps } from '../../protocols/policy/index.js'
import { teamError } from '../teams/index.js'
import type { LruBudget, Sized } from './lru-budget.js'

/** A team's policies of one version, compiled. */
export interface Compiled<Set> extends Sized {
  version: number
  set: Set
}

/** Rows of one snapshot: each has the version, and a policy unless the team has none. */
interface Versioned {
  version: number
}

/** Compiled sets of one kind on this node, for the teams that were requested last. */
export interface CompiledSets<Row extends Versioned, Set> {
  /** Returns the team's compiled set of any version, if there is one. */
  known(teamId: TeamId): Compiled<Set> | undefined
  /**
   * Returns the team's set of the version that the caller has read, or of a later one.
   * @param read one statement, hence one snapshot; no rows if the team was deleted concurrently
   * @throws organization_not_found
   */
  of(teamId: TeamId, version: number, read: () => Promise<Row[]>): Promise<Set>
}

export function createCompiledSets<Row extends Versioned, Set>(
  budget: LruBudget,
  compile: (rows: Row[], former: Set | undefined) => Steps<Sized & { set: Set }>,
): CompiledSets<Row, Set> {
  const stored = new Map<TeamId, Compiled<Set>>()
  const loading = new Map<string, Promise<Compiled<Set>>>()
  const compiling = new Map<TeamId, Promise<Compiled<Set>>>()

  function store(teamId: TeamId, compiled: Compiled<Set>): void {
    const former = stored.get(teamId)
    if (former) budget.remove(former)
    stored.set(teamId, compiled)
    budget.add(compiled, () => stored.delete(teamId))
  }

  async function load(teamId: TeamId, read: () => Promise<Row[]>): Promise<Compiled<Set>> {
    const rows = await read()
    const [first] = rows
    if (!first) throw teamError('organization_not_found')
    // One at a time per team, which may change its policies faster than they are compiled.
    const work = async () => {
      const known = stored.get(teamId)
      if (known && known.version >= first.version) return known
      const compiled = { version: first.version, ...(await runInSlices(compile(rows, known?.set))) }
      store(teamId, compiled)
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
        budget.touch(known)
        return known.set
      }
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
