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
import { teamError } from '../teams/index.js'
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
   * @throws organization_not_found; {SignOnNotCompiled} if `mayCompile` is false and it takes long
   */
  signOn(tx: Transaction, teamId: TeamId, mayCompile?: boolean): Promise<SignOnSet>
}

/** The transaction would have to wait until the policies of a team are compiled: do it outside, and begin again. */
export class SignOnNotCompiled extends Error {
  /** Not inside a transaction. */
  readonly compile: () => Promise<unknown>
  constructor(compile: () => Promise<unknown>) {
    super('The policies of the team are not compiled')
    this.compile = compile
  }
}

/** Stored bytes of policies that are compiled in a millisecond or two; to begin again would cost more. */
const COMPILED_AT_ONCE = 4_096

const NO_SIGN_ON = finish(compileSignOn([]))

export function createPolicySets({ db }: { db: Database }): PolicySets {
  const shelf = createShelf()
  const access = createCompiledSets(shelf, (rows: DecidingRow[]) =>
    measured(rows.filter(isPolicy).map(policyOf), compilePolicies),
  )
  const signOn = createCompiledSets(shelf, (rows: SignOnRow[], former: SignOnSet | undefined) =>
    measured(rows.filter(isPolicy).map(policyOf), (policies) => compileSignOn(policies, former)),
  )

  return {
    of: (teamId, version) => access.of(teamId, version, () => readDecidingRows(db, teamId)),
    async signOn(tx, teamId, mayCompile = true) {
      const state = await readSignOnState(tx, teamId, signOn.known(teamId)?.version)
      if (!state) throw teamError('organization_not_found')
      if (!state.hasPolicies) return NO_SIGN_ON
      const { version, bytes } = state
      if (!mayCompile && bytes > COMPILED_AT_ONCE)
        throw new SignOnNotCompiled(() => signOn.of(teamId, version, () => readSignOnRows(db, teamId)))
      return signOn.of(teamId, version, () => readSignOnRows(tx, teamId))
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
