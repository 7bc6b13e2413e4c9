import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionId } from '../../../platform/ids.js'
import { STATUS_CODES } from '../../../protocols/saml/index.js'
import { isActiveSession } from '../../sessions/index.js'
import { isNotifiedOfEnd } from '../../sso/index.js'
import { rejection } from '../errors.js'
import type { SamlProviderDeps } from '../model/deps.js'
import type { ServiceProvider } from '../model/service-provider.js'
import { applicationsToNotify } from './applications-to-notify.js'
import { logoutResponse, type NextMessage, nextMessage } from './logout-messages.js'
import { takeReturned, takeUnconfirmed, type UnconfirmedLogout } from './stored-logout.js'

/**
 * Continues a sign-out that waited for the user's confirmation or for the provider of the session.
 * @param partial true if the provider did not sign the user out
 * @throws saml_request_not_found
 */
export function resumeSignOut(
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  { resume, partial }: { resume: string; partial: boolean },
): Promise<NextMessage> {
  return deps.db.transaction(async (tx) => {
    const returned = await takeReturned(tx, deps.clock, sp.id, resume)
    if (returned) return nextMessage(tx, deps, sp, { ...returned, partial: returned.partial || partial })
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
