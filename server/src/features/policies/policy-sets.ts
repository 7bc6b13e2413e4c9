import type { Database } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { inTurns } from '../../platform/in-turns.js'
import { compilePolicies, type Policy, type PolicySet, type Steps } from '../../protocols/policy/index.js'
import { organizationRefusal } from '../organizations/index.js'
import { type DecidingRow, readDecidingRows } from './repository.js'

/** What this node has compiled of the teams that asked last. */
export interface PolicySets {
  /**
   * The team's ACCESS policies of the version that the request has read, or of a later one.
   * @param version what the first read of the request brought; nothing that was compiled of another version is used
   * @throws organization_not_found when the team was deleted meanwhile
   */
  of(teamId: TeamId, version: number): Promise<PolicySet>
}

interface Kept {
  version: number
  set: PolicySet
  /** Characters of JSON of its policies; what is compiled of them takes some ten bytes for each, thirty at worst. */
  size: number
}

/** So much is kept; what was not used for longest goes first. The largest team stays below it. */
const MAX_TEAMS = 1_000
const MAX_SIZE = 32 * 1_048_576

export function createPolicySets({ db }: { db: Database }): PolicySets {
  /** The one used last stands last. */
  const kept = new Map<TeamId, Kept>()
  let size = 0
  const loading = new Map<string, Promise<Kept>>()
  const compiling = new Map<TeamId, Promise<Kept>>()

  function forget(teamId: TeamId): void {
    const known = kept.get(teamId)
    if (known && kept.delete(teamId)) size -= known.size
  }

  function keep(teamId: TeamId, compiled: Kept): void {
    forget(teamId)
    kept.set(teamId, compiled)
    size += compiled.size
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_TEAMS && size <= MAX_SIZE) break
      forget(oldest)
    }
  }

  async function load(teamId: TeamId): Promise<Kept> {
    const rows = await readDecidingRows(db, teamId)
    const [first] = rows
    if (!first) throw organizationRefusal('organization_not_found')
    // One at a time of a team, which may change its policies faster than they are compiled.
    const work = async () => {
      const known = kept.get(teamId)
      if (known && known.version >= first.version) return known
      const compiled = await inTurns(compile(first.version, rows.filter(isPolicy).map(policyOf)))
      keep(teamId, compiled)
      return compiled
    }
    const own = Promise.resolve(compiling.get(teamId)).then(work, work)
    compiling.set(teamId, own)
    return own.finally(() => compiling.get(teamId) === own && compiling.delete(teamId))
  }

  return {
    async of(teamId, version) {
      const known = kept.get(teamId)
      if (known?.version === version) {
        kept.delete(teamId)
        kept.set(teamId, known)
        return known.set
      }
      // Only those join who read the same version: a load that began for an earlier one may have read what was there before.
      const key = `${teamId}:${version}`
      let loaded = loading.get(key)
      if (!loaded) {
        loaded = load(teamId).finally(() => loading.delete(key))
        loading.set(key, loaded)
      }
      return (await loaded).set
    },
  }
}

function* compile(version: number, policies: Policy[]): Steps<Kept> {
  let size = 0
  for (const policy of policies) {
    size += JSON.stringify(policy).length
    yield
  }
  return { version, size, set: yield* compilePolicies(policies) }
}

type Row = DecidingRow & { id: string }
const isPolicy = (row: DecidingRow): row is Row => row.id !== null
const policyOf = ({ version: _, createdAt, ...row }: Row): Policy => ({ ...row, createdAt: createdAt.getTime() })
