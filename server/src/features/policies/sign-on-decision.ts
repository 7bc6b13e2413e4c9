import { runInSlices } from '../../platform/concurrency/time-slices.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { type Context, decideSignOn, type Requirement } from '../../protocols/policy/index.js'
import type { PolicySets } from './policy-sets.js'

/** A sign-in that the team's policies decide. */
export interface SignOnQuery {
  resource: 'sign-in' | `application:${string}`
  /** The attributes of a sign-in that policies can use (docs/guides/policies.md). Unknown attributes are omitted. */
  context: Context
}

export interface SignOnDecision {
  verdict: 'ALLOW' | 'DENY'
  /** Null if no rule matches or sign-in is denied. */
  requirement: Requirement | null
  /** The deciding policy and rule, if any. */
  policy: { id: string; name: string } | undefined
  rule: { id: string; name?: string } | undefined
}

/**
 * Decides a sign-in by the team's SIGN_ON and MFA policies. Reads with the transaction only, which must not have changed policies; writes
 * nothing. Runs in the caller's transaction.
 * @param mayCompile whether the transaction may wait while many policies are compiled; default true
 * @throws organization_not_found if the team was deleted concurrently; {SignOnNotCompiled} if it may not wait
 */
export type DecideSignOn = (
  tx: Transaction,
  teamId: TeamId,
  query: SignOnQuery,
  mayCompile?: boolean,
) => Promise<SignOnDecision>

export const createSignOnDecision =
  (policySets: PolicySets): DecideSignOn =>
  async (tx, teamId, { resource, context }, mayCompile) => {
    const set = await policySets.signOn(tx, teamId, mayCompile)
    const { verdict, requirement, policy, rule } = await runInSlices(
      decideSignOn(set, { resource, action: 'login', context }),
    )
    return {
      verdict,
      requirement,
      policy: policy && { id: policy.id, name: policy.name },
      rule: rule && { id: rule.id, ...(rule.name !== undefined && { name: rule.name }) },
    }
  }
