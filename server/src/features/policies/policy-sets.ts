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
import { createCompiledSets, createSetCache } from './compiled-sets.js'
import { type DecidingRow, readDecidingRows, readSignOnRows, readSignOnState, type SignOnRow } from './repository.js'

/** Thrown instead of compiling a team's policies inside a transaction: compile outside, and retry. */
export class SignOnNotCompiled extends Error {
  /** Call it outside a transaction. */
  readonly compile: () => Promise<unknown>
  constructor(compile: () => Promise<unknown>) {
    super('The policies of the team are not compiled')
    this.compile = compile
  }
}

/** Stored bytes of policies that compile in one or two milliseconds; a retry would cost more. */
const MAX_BYTES_IN_TRANSACTION = 4_096

const NO_SIGN_ON = finish(compileSignOn([]))

/** The compiled policies on this node, for the teams that were requested last. */
export type PolicySets = ReturnType<typeof createPolicySets>

export function createPolicySets({ db }: { db: Database }) {
  const cache = createSetCache()
  const access = createCompiledSets(cache, 'access', (rows: DecidingRow[]) =>
    measured(rows.filter(isPolicy).map(policyOf), compilePolicies),
  )
  const signOn = createCompiledSets(cache, 'sign-on', (rows: SignOnRow[], former: SignOnSet | undefined) =>
    measured(rows.filter(isPolicy).map(policyOf), (policies) => compileSignOn(policies, former)),
  )

  return {
    /**
     * Returns the team's ACCESS policies of the version that the request has read, or of a later one.
     * @param version from the first read of the request; no set of an earlier version is used
     * @throws organization_not_found if the team was deleted concurrently
     */
    of: (teamId: TeamId, version: number): Promise<PolicySet> =>
      access.of(teamId, version, () => readDecidingRows(db, teamId)),

    /**
     * Returns the team's SIGN_ON and MFA policies. Reads with the transaction only, which must not have changed any. Costs one read if the
     * team has none or this node has compiled its version, else two. Runs in the caller's transaction.
     * @throws organization_not_found; {SignOnNotCompiled} if `mayCompile` is false and compiling takes long
     */
    async signOn(tx: Transaction, teamId: TeamId, mayCompile = true): Promise<SignOnSet> {
      const state = await readSignOnState(tx, teamId, signOn.knownVersion(teamId))
      if (!state) throw teamError('organization_not_found')
      if (!state.hasPolicies) return NO_SIGN_ON
      const { version, bytes } = state
      if (!mayCompile && bytes > MAX_BYTES_IN_TRANSACTION)
        throw new SignOnNotCompiled(() => signOn.of(teamId, version, () => readSignOnRows(db, teamId)))
      return signOn.of(teamId, version, () => readSignOnRows(tx, teamId))
    },
  }
}

/** Compiles policies and returns their size in characters of JSON. */
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
