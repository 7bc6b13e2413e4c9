import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionId } from '../../../platform/ids.js'
import { type LogoutRequest, STATUS_CODES } from '../../../protocols/saml/index.js'
import { storePendingLogout } from '../../oidc-provider/index.js'
import { isActiveSession } from '../../sessions/index.js'
import { isNotifiedOfEnd } from '../../sso/index.js'
import { rejection } from '../errors.js'
import type { SamlProviderDeps } from '../model/deps.js'
import type { ServiceProvider } from '../model/service-provider.js'
import { applicationsToNotify } from './leave-applications.js'
import { logoutResponse, type NextMessage, nextMessage, resumeUrl } from './logout-messages.js'
import { namedSessions } from './named-sessions.js'
import {
  type RequestedLogout,
  storeLogout,
  takeResumable,
  takeUnconfirmed,
  type UnconfirmedLogout,
} from './stored-logout.js'

/**
 * Handles an unsigned LogoutRequest: the user must confirm it if it would end a session of the browser. Runs in the caller's transaction.
 */
export async function confirmSignOut(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  request: LogoutRequest,
  requested: RequestedLogout,
  ssoToken: string | undefined,
): Promise<NextMessage> {
  const { clock, config } = deps
  // Without a cookie and without a signature, the request must not end a session.
  if (requested.binding === 'post' && ssoToken === undefined) {
    const status = { status: STATUS_CODES.responder, reason: STATUS_CODES.requestDenied }
    return logoutResponse(tx, deps, sp, requested, status)
  }
  const [own] = await namedSessions(tx, clock, sp, request, ssoToken)
  if (!own) return logoutResponse(tx, deps, sp, requested, { status: STATUS_CODES.success })
  const resumeToken = await storeLogout(tx, clock, sp.id, { ...requested, session: own.id })
  const redirectTo = resumeUrl(deps, sp.id, resumeToken)
  const resume = await storePendingLogout(tx, clock, { application: sp.id, session: own.id, redirectTo })
  return { page: `${config.frontendUrl}/logout?${new URLSearchParams({ resume })}` }
}

/**
 * Continues a sign-out that waited for the user's confirmation or for the provider of the session, or starts one with a form.
 * @param partial true if the provider did not sign the user out
 * @throws saml_request_not_found
 */
export function resumeSignOut(
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  { resume, partial }: { resume: string; partial: boolean },
): Promise<NextMessage> {
  return deps.db.transaction(async (tx) => {
    const resumed = await takeResumable(tx, deps.clock, sp.id, resume)
    if (resumed) {
      const { atStart, ...logout } = resumed
      return nextMessage(tx, deps, atStart ? null : sp, { ...logout, partial: logout.partial || partial })
    }
    const stored = await takeUnconfirmed(tx, deps.clock, sp.id, resume)
    if (!stored) throw rejection('saml_request_not_found')
    return continueConfirmed(tx, deps, sp, stored)
  })
}

const isOver = namedQuery<{ over: boolean }, [SessionId, Date]>(
  'saml_provider.session_is_over',
  `SELECT NOT (${isActiveSession('s', '$2')}) AS over FROM sessions s WHERE id = $1`,
)

/**
 * Continues after the user has confirmed and is signed out. If the session is still active, the application receives a denied
 * response. Runs in the caller's transaction.
 */
async function continueConfirmed(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  { session, ...requested }: UnconfirmedLogout,
): Promise<NextMessage> {
  const [row] = await tx.run(isOver, [session, deps.clock.now()])
  if (row && !row.over)
    return logoutResponse(tx, deps, sp, requested, {
      status: STATUS_CODES.responder,
      reason: STATUS_CODES.requestDenied,
    })
  const { left, tooMany } = await applicationsToNotify(tx, [session], sp.id)
  const opened = (await isNotifiedOfEnd(tx, session)) ? session : undefined
  return nextMessage(tx, deps, sp, { ...requested, opened, partial: tooMany, waiting: null, left })
}
