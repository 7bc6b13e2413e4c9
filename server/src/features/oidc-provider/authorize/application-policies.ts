import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import { assessSignInRisk } from '../../authentication/index.js'
import { permissionError } from '../../permissions/index.js'
import { signInContext } from '../../policies/index.js'
import type { EngineSession } from '../engine/engine-context.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'

/** The decision of the team's policies about a sign-in to one of its applications with an existing session. */
export type ApplicationDecision = 'allowed' | 'second_factor' | 'password_change' | 'denied'

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
): Promise<ApplicationDecision> {
  const { userAttributes, role, method, userId } = session
  const assessment = await assessSignInRisk(
    tx,
    deps,
    { id: userId, email: userAttributes.email },
    { origin, deviceToken },
    session.isRestricted || session.isMembershipUnconfirmed ? team : null,
  )
  const context = signInContext(deps.clock, {
    origin,
    country: assessment.country,
    email: userAttributes.email,
    role,
    method,
    knownDevice: assessment.deviceKnown,
    riskScore: assessment.risk.score,
  })
  const resources = [
    `application:${application}` as const,
    ...(session.hasPassedSignInPolicies ? [] : (['sign-in'] as const)),
  ]
  let wantsFactor = false
  for (const resource of resources) {
    const { verdict, requirement, policy } = await deps.decideSignOn(tx, team, { resource, context })
    if (verdict === 'DENY') {
      if (session.isMembershipUnconfirmed) return 'denied'
      await deps.audit.record(tx, { userId, teamId: team, origin }, 'application.signed_in', {
        result: 'DENIED',
        resource: `application:${application}`,
        metadata: { reason: 'sign_in_denied', policy, reasons: assessment.risk.reasons },
        riskScore: assessment.risk.score,
      })
      return 'denied'
    }
    wantsFactor ||= requirement === 'MFA_REQUIRED'
  }
  if (session.isPasswordDue) return 'password_change'
  return session.isFactorDue || (wantsFactor && !session.amr.includes('mfa')) ? 'second_factor' : 'allowed'
}

/**
 * Evaluates the policies like `evaluateApplicationPolicies`.
 * @returns whether they require a second factor
 * @throws application_access_denied, password_change_required
 */
export async function requireAllowedByPolicies(
  tx: Transaction,
  deps: OidcProviderDeps,
  session: EngineSession,
  signIn: ApplicationSignIn,
): Promise<boolean> {
  const rules = await evaluateApplicationPolicies(tx, deps, session, signIn)
  if (rules === 'denied') throw rejection('application_access_denied')
  if (rules === 'password_change') throw permissionError('password_change_required')
  return rules === 'second_factor'
}
