import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import { assessSignInRisk } from '../../authentication/index.js'
import { signInContext } from '../../policies/index.js'
import type { EngineSession } from '../engine/engine-context.js'
import type { OidcProviderDeps } from '../model/deps.js'

/** The decision of the team's policies about a sign-in to one of its applications with an existing session. */
export type ApplicationRules = 'fit' | 'second_factor' | 'password_change' | 'refused'

export interface ApplicationSignIn {
  application: ApplicationId
  team: TeamId
  origin: RequestOrigin
  /** The browser's device cookie. */
  deviceToken: string | undefined
}

/**
 * Evaluates the policies of the application, and the sign-in policies of its team if the session has not passed them yet. Requires a second
 * factor that the session has not verified, and a password change if the password is older than the team allows. Records a denial, unless
 * the user has not yet joined the team. Runs in the caller's transaction.
 */
export async function evaluateApplicationPolicies(
  tx: Transaction,
  deps: Pick<OidcProviderDeps, 'audit' | 'clock' | 'countries' | 'decideSignOn' | 'throttle'>,
  session: EngineSession,
  { application, team, origin, deviceToken }: ApplicationSignIn,
): Promise<ApplicationRules> {
  const { userAttributes, role, method, userId } = session
  const timestamp = await assessSignInRisk(
    tx,
    deps,
    { id: userId, email: userAttributes.email },
    { origin, deviceToken },
    session.restricted || session.unconfirmed ? team : null,
  )
  const context = signInContext(deps.clock, {
    origin,
    country: timestamp.country,
    email: userAttributes.email,
    role,
    method,
    knownDevice: timestamp.deviceKnown,
    riskScore: timestamp.risk.score,
  })
  const resources = [`application:${application}` as const, ...(session.admitted ? [] : (['sign-in'] as const))]
  let wantsFactor = false
  for (const resource of resources) {
    const { verdict, requirement, policy } = await deps.decideSignOn(tx, team, { resource, context })
    if (verdict === 'DENY') {
      if (session.unconfirmed) return 'refused'
      await deps.audit.record(tx, { userId, teamId: team, origin }, 'application.signed_in', {
        result: 'DENIED',
        resource: `application:${application}`,
        metadata: { reason: 'sign_in_denied', policy, reasons: timestamp.risk.reasons },
        riskScore: timestamp.risk.score,
      })
      return 'refused'
    }
    wantsFactor ||= requirement === 'MFA_REQUIRED'
  }
  if (session.passwordDue) return 'password_change'
  return session.factorDue || (wantsFactor && !session.amr.includes('mfa')) ? 'second_factor' : 'fit'
}
