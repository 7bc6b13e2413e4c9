import type { Database, Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import {
  compilePolicies,
  compileSignOn,
  finish,
  type Policy,
  type PolicySet,
  type SignOnSet,
  type Steps,
} from '../../protocols/policy/index.js'
import { organizationRefusal } from '../organizations/index.js'
import { createCompiledSets } from './compiled-sets.js'
import { type DecidingRow, readDecidingRows, readSignOnRows, readSignOnState, type SignOnRow } from './repository.js'
import { createShelf } from './shelf.js'

/** What this node has compiled of the teams that asked last. */
export interface PolicySets {
  /**
   * The team's ACCESS policies of the version that the request has read, or of a later one.
   * @param version what the first read of the request brought; nothing that was compiled of another version is used
   * @throws organization_not_found when the team was deleted meanwhile
   */
  of(teamId: TeamId, version: number): Promise<PolicySet>
  /**
   * A step: the team's SIGN_ON and MFA policies, read by the transaction alone, which must have changed none itself. One read where
   * the team has none or this node knows those of its version, else two.
   * @throws organization_not_found
   */
  signOn(tx: Transaction, teamId: TeamId): Promise<SignOnSet>
}

const NO_SIGN_ON = finish(compileSignOn([]))

export function createPolicySets({ db }: { db: Database }): PolicySets {
  const shelf = createShelf()
  const access = createCompiledSets(shelf, (rows: DecidingRow[]) =>
    measured(rows.filter(isPolicy).map(policyOf), compilePolicies),
  )
  const signOn = createCompiledSets(shelf, (rows: SignOnRow[]) =>
    measured(rows.filter(isPolicy).map(policyOf), compileSignOn),
  )

  return {
    of: (teamId, version) => access.of(teamId, version, () => readDecidingRows(db, teamId)),
    async signOn(tx, teamId) {
      const state = await readSignOnState(tx, teamId, signOn.known(teamId)?.version)
      if (!state) throw organizationRefusal('organization_not_found')
      if (!state.hasPolicies) return NO_SIGN_ON
      return signOn.of(teamId, state.version, () => readSignOnRows(tx, teamId))
    },
  }
}

/** Compiles, and says how large what it compiled from was. */
function* measured<P extends Policy, Set>(policies: P[], compile: (policies: P[]) => Steps<Set>) {
  let size = 0
  for (const policy of policies) {
    size += JSON.stringify(policy).length
    yield
  }
  return { size, set: yield* compile(policies) }
}

const isPolicy = <Row extends DecidingRow>(row: Row): row is Row & { id: string } => row.id !== null
const policyOf = <Row extends DecidingRow & { id: string }>({ version: _, createdAt, ...row }: Row) => ({
  ...row,
  createdAt: createdAt.getTime(),
})
