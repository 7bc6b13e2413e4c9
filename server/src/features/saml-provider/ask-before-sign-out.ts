import type { Transaction } from '../../platform/db/database.js'
import { type LogoutRequest, STATUS_CODES } from '../../protocols/saml/index.js'
import { keepPendingLogout } from '../oidc-provider/index.js'
import { addressesOf } from './addresses.js'
import type { SamlProviderDeps } from './deps.js'
import { type NextMessage, sayEnded } from './logout-messages.js'
import { namedSessions } from './named-sessions.js'
import type { ServiceProvider } from './service-provider.js'
import { type AskedLogout, keepLogout } from './stored-logout.js'

/** A step, for what nobody signed: the user is asked, where there is a session in their browser that it would end. */
export async function askBeforeSignOut(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  request: LogoutRequest,
  asked: AskedLogout,
  ssoToken: string | undefined,
): Promise<NextMessage> {
  const { clock, config } = deps
  // Who has no cookie here and proves nothing may end nothing.
  if (asked.binding === 'post' && ssoToken === undefined) {
    const status = { status: STATUS_CODES.responder, reason: STATUS_CODES.requestDenied }
    return sayEnded(tx, deps, sp, asked, status)
  }
  const [own] = await namedSessions(tx, clock, sp, request, ssoToken)
  if (!own) return sayEnded(tx, deps, sp, asked, { status: STATUS_CODES.success })
  const goesOn = await keepLogout(tx, clock, sp.id, { ...asked, session: own.id })
  const redirectTo = `${addressesOf(config.baseUrl, sp.id).sloUrl}?${new URLSearchParams({ resume: goesOn })}`
  const resume = await keepPendingLogout(tx, clock, { application: sp.id, session: own.id, redirectTo })
  return { page: `${config.frontendUrl}/logout?${new URLSearchParams({ resume })}` }
}
