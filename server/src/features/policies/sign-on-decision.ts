import type { Clock } from '../../platform/clock.js'
import { runInSlices } from '../../platform/concurrency/time-slices.js'
import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { TeamId } from '../../platform/ids.js'
import { type Context, decideSignOn, type Requirement } from '../../protocols/policy/index.js'
import type { PolicySets } from './policy-sets.js'

/** The known attributes of a sign-in. Unknown ones are left out; a condition on them does not match. */
interface SignInFacts {
  origin: RequestOrigin
  country: string | undefined
  email: string
  /** The stored role of the membership. */
  role: string
  /** The sign-in method. */
  method: string
  knownDevice?: boolean | undefined
  riskScore?: number | undefined
}

/** Returns the context in which policies decide a sign-in (docs/guides/policies.md). */
export const signInContext = (
  clock: Clock,
  { origin, country, email, role, method, knownDevice, riskScore }: SignInFacts,
): Context => ({
  timestamp: clock.now().toISOString(),
  ...(origin.ip !== null && { ipAddress: origin.ip }),
  ...(origin.userAgent !== null && { userAgent: origin.userAgent }),
  ...(country !== undefined && { geoLocation: country }),
  email,
  role,
  method,
  ...(knownDevice !== undefined && { knownDevice }),
  ...(riskScore !== undefined && { riskScore }),
})

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
export type DecideSignOn = ReturnType<typeof createSignOnDecision>

export const createSignOnDecision =
  (policySets: PolicySets) =>
  async (
    tx: Transaction,
    teamId: TeamId,
    { resource, context }: { resource: 'sign-in' | `application:${string}`; context: Context },
    mayCompile?: boolean,
  ): Promise<SignOnDecision> => {
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
