import type { Database } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { compilePolicies, type Policy, type PolicySet } from '../../protocols/policy/index.js'
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
}

/** So much is kept; what was not used for longest goes first. */
const MAX_TEAMS = 1_000
const MAX_POLICIES = 100_000

const sizeOf = ({ set }: Kept): number => set.all.length

export function createPolicySets({ db }: { db: Database }): PolicySets {
  /** The one used last stands last. */
  const kept = new Map<TeamId, Kept>()
  let policies = 0
  const loading = new Map<string, Promise<Kept>>()

  function forget(teamId: TeamId): void {
    const known = kept.get(teamId)
    if (known && kept.delete(teamId)) policies -= sizeOf(known)
  }

  function keep(teamId: TeamId, compiled: Kept): void {
    forget(teamId)
    kept.set(teamId, compiled)
    policies += sizeOf(compiled)
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_TEAMS && policies <= MAX_POLICIES) break
      forget(oldest)
    }
  }

  async function load(teamId: TeamId): Promise<Kept> {
    const rows = await readDecidingRows(db, teamId)
    const [first] = rows
    if (!first) throw organizationRefusal('organization_not_found')
    const compiled = { version: first.version, set: compilePolicies(rows.filter(isPolicy).map(policyOf)) }
    keep(teamId, compiled)
    return compiled
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

type Row = DecidingRow & { id: string }
const isPolicy = (row: DecidingRow): row is Row => row.id !== null
const policyOf = ({ version: _, createdAt, ...row }: Row): Policy => ({ ...row, createdAt: createdAt.getTime() })
