import { inTurns } from '../../platform/concurrency/time-slices.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { type Context, decideSignOn, type Requirement } from '../../protocols/policy/index.js'
import type { PolicySets } from './policy-sets.js'

/** Who signs in to what, by the team's words. */
export interface SignOnQuestion {
  resource: 'sign-in' | `application:${string}`
  /** What docs/policies.md names for sign-in; what is not known is left out. */
  context: Context
}

export interface SignOnDecision {
  verdict: 'ALLOW' | 'DENY'
  /** Null where no rule holds, and where signing in is refused. */
  requirement: Requirement | null
  /** What decided; undefined where nothing did. */
  policy: { id: string; name: string } | undefined
  rule: { id: string; name?: string } | undefined
}

/**
 * A step: what the team's SIGN_ON and MFA policies say to somebody who signs in. Reads by the transaction alone, which must have
 * changed no policies itself; writes nothing.
 * @param mayCompile whether the transaction waits while many policies are compiled; default true
 * @throws organization_not_found when the team was deleted meanwhile; {SignOnNotCompiled} where it may not wait
 */
export type DecideSignOn = (
  tx: Transaction,
  teamId: TeamId,
  question: SignOnQuestion,
  mayCompile?: boolean,
) => Promise<SignOnDecision>

export const createSignOnDecision =
  (policySets: PolicySets): DecideSignOn =>
  async (tx, teamId, { resource, context }, mayCompile) => {
    const set = await policySets.signOn(tx, teamId, mayCompile)
    const { verdict, requirement, policy, rule } = await inTurns(
      decideSignOn(set, { resource, action: 'login', context }),
    )
    return {
      verdict,
      requirement,
      policy: policy && { id: policy.id, name: policy.name },
      rule: rule && { id: rule.id, ...(rule.name !== undefined && { name: rule.name }) },
    }
  }
