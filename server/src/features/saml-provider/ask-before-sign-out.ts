import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId } from '../../platform/ids.js'
import { type LogoutRequest, STATUS_CODES } from '../../protocols/saml/index.js'
import { keepPendingLogout } from '../oidc-provider/index.js'
import { addressesOf } from './addresses.js'
import type { SamlProviderDeps } from './deps.js'
import { refusal } from './errors.js'
import { type AskedLogout, keepLogout, takeUnconfirmed } from './kept-logout.js'
import { goOn, type NextMessage, sayEnded } from './logout-messages.js'
import { namedSessions } from './named-sessions.js'
import type { ServiceProvider } from './service-provider.js'
import { toBeTold } from './to-be-told.js'

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

const isOver = namedQuery<{ over: boolean }, [SessionId, Date]>(
  'saml_provider.session_is_over',
  'SELECT ended_at IS NOT NULL OR expires_at <= $2 AS over FROM sessions WHERE id = $1',
)

/** The user has confirmed, and is signed out; whoever comes without that gets the application an answer that nothing was ended. */
export function goOnConfirmed(deps: SamlProviderDeps, sp: ServiceProvider, token: string): Promise<NextMessage> {
  return deps.db.transaction(async (tx) => {
    const kept = await takeUnconfirmed(tx, deps.clock, sp.id, token)
    if (!kept) throw refusal('saml_request_not_found')
    const { session, ...asked } = kept
    const [row] = await tx.run(isOver, [session, deps.clock.now()])
    if (row && !row.over)
      return sayEnded(tx, deps, sp, asked, { status: STATUS_CODES.responder, reason: STATUS_CODES.requestDenied })
    const { left, tooMany } = await toBeTold(tx, [session], sp.id)
    return goOn(tx, deps, sp, { ...asked, partial: tooMany, waiting: null, left })
  })
}
