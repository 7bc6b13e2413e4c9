import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SessionId } from '../../../platform/ids.js'
import { STATUS_CODES } from '../../../protocols/saml/index.js'
import {
  type ApplicationSession,
  evaluateApplicationPolicies,
  findApplicationSession,
  oidcProviderError,
} from '../../oidc-provider/index.js'
import type { SamlProviderDeps } from '../model/deps.js'
import type { ServiceProvider, UsableServiceProvider } from '../model/service-provider.js'
import { authnContextFor } from './authn-context.js'
import type { StoredRequest } from './stored-request.js'

/** The credentials and the origin of a browser that requests a sign-in. */
export interface SignInBrowser {
  /** The session of a bearer token; it takes precedence over the cookie. */
  sessionId: SessionId | undefined
  ssoToken: string | undefined
  /** The browser's device cookie. */
  deviceToken: string | undefined
  origin: RequestOrigin
}

type SignInReason = 'session' | 'force_authn' | 'second_factor' | 'password_change' | 'confirmation'

export type Decision =
  | { kind: 'assert'; session: ApplicationSession; context: string }
  /** The user must first sign in (again, or with a second factor), change their password, or join the team that added them. */
  | { kind: 'sign_in'; why: SignInReason }
  | {
      kind: 'reject'
      status: string
      /** The second-level SAML status code. */
      subStatus: string
      /** Undefined if an entry exists already. */
      auditEntry?: { result: 'DENIED' | 'FAILURE'; reason: string; session: ApplicationSession | undefined }
    }

/**
 * Decides how to respond to a request of this browser. Runs in the caller's transaction.
 * @throws application_access_denied for a user who may not use the application and has no confirmed membership in its team
 */
export async function decideResponse(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: UsableServiceProvider,
  request: StoredRequest,
  browser: SignInBrowser,
): Promise<Decision> {
  const session = await findSession(tx, deps, sp, browser)
  // A passive request can't show a consent page. Respond as if there were no session, so the team doesn't learn that the user is signed in.
  if (!session || (session.isMembershipUnconfirmed && request.isPassive)) return signIn(request, 'session', undefined)
  // Disclose nothing to the team, including its audit log, until the user has consented on a page that names the team.
  if (session.isMembershipUnconfirmed) {
    // A response would reveal to the application that the user is signed in. The error page shows the error instead.
    if (!session.mayUse) throw oidcProviderError('application_access_denied')
    return signIn(request, 'confirmation', undefined)
  }
  if (request.forceAuthn && session.authenticatedAt.getTime() < request.receivedAt)
    return signIn(request, 'force_authn', session)
  if (!session.mayUse)
    return rejectWith(STATUS_CODES.requestDenied, { result: 'DENIED', reason: 'application_access_denied', session })
  const decision = await evaluateApplicationPolicies(tx, deps, session, {
    application: sp.id,
    team: sp.teamId,
    origin: browser.origin,
    deviceToken: browser.deviceToken,
  })
  if (decision === 'denied') return rejectWith(STATUS_CODES.requestDenied)
  if (decision === 'password_change') return signIn(request, 'password_change', session)
  const context = authnContextFor(request.requestedAuthnContext ?? undefined, session.amr)
  if (context === 'impossible')
    return rejectWith(STATUS_CODES.noAuthnContext, { result: 'FAILURE', reason: 'no_authn_context', session })
  if (decision === 'second_factor' || context === 'second_factor') return signIn(request, 'second_factor', session)
  return { kind: 'assert', session, context: context.stated }
}

/** Returns the browser's session at the application. A session restricted to another team is ignored. */
export const findSession = (
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: Pick<ServiceProvider, 'id'>,
  { sessionId, ssoToken }: Pick<SignInBrowser, 'sessionId' | 'ssoToken'>,
): Promise<ApplicationSession | undefined> | undefined =>
  sessionId
    ? findApplicationSession(tx, deps, { sessionId }, sp.id)
    : ssoToken
      ? findApplicationSession(tx, deps, { ssoToken }, sp.id)
      : undefined

/** Returns the decision that the user must sign in. Rejects a passive request instead, because it must not show a page. */
const signIn = ({ isPassive }: StoredRequest, why: SignInReason, session: ApplicationSession | undefined): Decision =>
  isPassive
    ? rejectWith(STATUS_CODES.noPassive, { result: 'FAILURE', reason: 'no_passive', session })
    : { kind: 'sign_in', why }

type Rejection = Extract<Decision, { kind: 'reject' }>

/** Returns a rejection. @param auditEntry undefined if an entry exists already */
export const rejectWith = (
  subStatus: string,
  auditEntry?: Rejection['auditEntry'],
  status: string = STATUS_CODES.responder,
): Rejection => ({ kind: 'reject', status, subStatus, ...(auditEntry && { auditEntry }) })
