import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId } from '../../platform/ids.js'
import { STATUS_CODES } from '../../protocols/saml/index.js'
import { isActiveSession } from '../sessions/index.js'
import { isNotifiedOfEnd } from '../sso/index.js'
import { applicationsToNotify } from './applications-to-notify.js'
import type { SamlProviderDeps } from './deps.js'
import { rejection } from './errors.js'
import { goOn, type NextMessage, sayEnded } from './logout-messages.js'
import type { ServiceProvider } from './service-provider.js'
import { takeReturned, takeUnconfirmed, type UnconfirmedLogout } from './stored-logout.js'

/**
 * A sign-out goes on that waited: for its user, or for the provider of its session.
 * @param partial the provider did not sign out
 * @throws saml_request_not_found
 */
export function goOnResumed(
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  { resume, partial }: { resume: string; partial: boolean },
): Promise<NextMessage> {
  return deps.db.transaction(async (tx) => {
    const returned = await takeReturned(tx, deps.clock, sp.id, resume)
    if (returned) return goOn(tx, deps, sp, { ...returned, partial: returned.partial || partial })
    const stored = await takeUnconfirmed(tx, deps.clock, sp.id, resume)
    if (!stored) throw rejection('saml_request_not_found')
    return goOnConfirmed(tx, deps, sp, stored)
  })
}

const isOver = namedQuery<{ over: boolean }, [SessionId, Date]>(
  'saml_provider.session_is_over',
  `SELECT NOT (${isActiveSession('s', '$2')}) AS over FROM sessions s WHERE id = $1`,
)

/** A step: the user has confirmed, and is signed out; whoever comes without that gets the application an answer that nothing was ended. */
async function goOnConfirmed(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  { session, ...asked }: UnconfirmedLogout,
): Promise<NextMessage> {
  const [row] = await tx.run(isOver, [session, deps.clock.now()])
  if (row && !row.over)
    return sayEnded(tx, deps, sp, asked, { status: STATUS_CODES.responder, reason: STATUS_CODES.requestDenied })
  const { left, tooMany } = await applicationsToNotify(tx, [session], sp.id)
  const opened = (await isNotifiedOfEnd(tx, session)) ? session : undefined
  return goOn(tx, deps, sp, { ...asked, opened, partial: tooMany, waiting: null, left })
}
