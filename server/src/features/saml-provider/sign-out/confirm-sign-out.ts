import type { Transaction } from '../../../platform/db/database.js'
import { type LogoutRequest, STATUS_CODES } from '../../../protocols/saml/index.js'
import { storePendingLogout } from '../../oidc-provider/index.js'
import type { SamlProviderDeps } from '../model/deps.js'
import type { ServiceProvider } from '../model/service-provider.js'
import { addressesOf } from '../model/service-provider.js'
import { logoutResponse, type NextMessage } from './logout-messages.js'
import { namedSessions } from './named-sessions.js'
import { type RequestedLogout, storeLogout } from './stored-logout.js'

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
  const redirectTo = `${addressesOf(config.baseUrl, sp.id).sloUrl}?${new URLSearchParams({ resume: resumeToken })}`
  const resume = await storePendingLogout(tx, clock, { application: sp.id, session: own.id, redirectTo })
  return { page: `${config.frontendUrl}/logout?${new URLSearchParams({ resume })}` }
}
