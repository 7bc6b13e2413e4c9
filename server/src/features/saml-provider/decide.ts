import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId } from '../../platform/ids.js'
import { STATUS_CODES } from '../../protocols/saml/index.js'
import {
  type ApplicationSession,
  askApplicationRules,
  findApplicationSession,
  oidcProviderError,
} from '../oidc-provider/index.js'
import { statedContext } from './authn-context.js'
import type { SamlProviderDeps } from './deps.js'
import type { ServiceProvider, UsableServiceProvider } from './service-provider.js'
import type { StoredRequest } from './stored-request.js'

/** Who sits in front of the browser, as far as the request says it. */
export interface Visitor {
  /** The session of a Bearer; it counts before the cookie's. */
  sessionId: SessionId | undefined
  ssoToken: string | undefined
  /** The browser's device cookie. */
  deviceToken: string | undefined
  origin: RequestOrigin
}

type Due = 'session' | 'fresh' | 'second_factor' | 'password_change' | 'confirmation'

export type Decision =
  | { kind: 'tell'; session: ApplicationSession; context: string }
  /** The user must first sign in (again, or with a second factor), or join the team that added them. */
  | { kind: 'sign_in'; why: Due }
  | {
      kind: 'refuse'
      status: string
      reason: string
      /** For the audit log; absent where it has been recorded already. */
      recorded?: { result: 'DENIED' | 'FAILURE'; why: string; session: ApplicationSession | undefined }
    }

/**
 * Decides how to respond to a request of this visitor. Nothing is sent yet. Runs in the caller's transaction.
 * @throws application_access_denied for a user who may not use the application and has no confirmed membership in its team
 */
export async function decide(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: UsableServiceProvider,
  request: StoredRequest,
  visitor: Visitor,
): Promise<Decision> {
  const session = await findSession(tx, deps, sp, visitor)
  // Without a page the user cannot consent: the team must not learn that the user is signed in either.
  if (!session || (session.unconfirmed && request.isPassive)) return signIn(request, 'session', undefined)
  // The team learns nothing of a user's visit, not even from its log, before the user has agreed on a page that names it.
  if (session.unconfirmed) {
    // A response would show the application that its visitor is signed in: a page of ours says it to the user instead.
    if (!session.mayUse) throw oidcProviderError('application_access_denied')
    return signIn(request, 'confirmation', undefined)
  }
  if (request.forceAuthn && session.authenticatedAt.getTime() < request.receivedAt)
    return signIn(request, 'fresh', session)
  if (!session.mayUse) return denied({ result: 'DENIED', why: 'application_access_denied', session })
  const rules = await askApplicationRules(tx, deps, session, {
    application: sp.id,
    team: sp.teamId,
    origin: visitor.origin,
    deviceToken: visitor.deviceToken,
  })
  if (rules === 'refused') return denied()
  if (rules === 'password_change') return signIn(request, 'password_change', session)
  const context = statedContext(request.requestedAuthnContext ?? undefined, session.amr)
  if (context === 'impossible')
    return {
      kind: 'refuse',
      status: STATUS_CODES.responder,
      reason: STATUS_CODES.noAuthnContext,
      recorded: { result: 'FAILURE', why: 'no_authn_context', session },
    }
  if (rules === 'second_factor' || context === 'second_factor') return signIn(request, 'second_factor', session)
  return { kind: 'tell', session, context: context.stated }
}

/** A session that another team controls is none. */
export const findSession = (
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: Pick<ServiceProvider, 'id'>,
  { sessionId, ssoToken }: Pick<Visitor, 'sessionId' | 'ssoToken'>,
): Promise<ApplicationSession | undefined> | undefined =>
  sessionId
    ? findApplicationSession(tx, deps, { sessionId }, sp.id)
    : ssoToken
      ? findApplicationSession(tx, deps, { ssoToken }, sp.id)
      : undefined

/** A page must not be shown where the service provider wants an answer without one. */
function signIn({ isPassive }: StoredRequest, why: Due, session: ApplicationSession | undefined): Decision {
  if (!isPassive) return { kind: 'sign_in', why }
  return {
    kind: 'refuse',
    status: STATUS_CODES.responder,
    reason: STATUS_CODES.noPassive,
    recorded: { result: 'FAILURE', why: 'no_passive', session },
  }
}

const denied = (recorded?: Extract<Decision, { kind: 'refuse' }>['recorded']): Decision => ({
  kind: 'refuse',
  status: STATUS_CODES.responder,
  reason: STATUS_CODES.requestDenied,
  ...(recorded && { recorded }),
})
