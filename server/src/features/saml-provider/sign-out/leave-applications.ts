import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SessionId } from '../../../platform/ids.js'
import type { SamlProviderDeps } from '../model/deps.js'
import { applicationsToNotify } from './applications-to-notify.js'
import { nextMessage, writeMessage } from './logout-messages.js'
import type { Continuation } from './stored-logout.js'

/**
 * Starts the notification of SAML applications after a sign-out at Keyward. The browser visits each application, then the continuation.
 * The session has already ended, even if the browser does not return.
 * @param findContinuation returns the URL to which the browser continues after the last application; called only if one must be notified
 * @returns the URL of the first application; null if no application must be notified
 */
export async function leaveApplications(
  deps: SamlProviderDeps,
  session: SessionId,
  findContinuation: () => Promise<Continuation>,
  origin: RequestOrigin,
): Promise<string | null> {
  const { left, tooMany } = await deps.db.transaction((tx) => applicationsToNotify(tx, [session], null))
  if (left.length === 0) return null
  const logout = { ...(await findContinuation()), partial: tooMany, waiting: null, left }
  const answer = await writeMessage(
    deps,
    await deps.db.transaction((tx) => nextMessage(tx, deps, null, logout)),
    origin,
  )
  return 'redirectTo' in answer ? answer.redirectTo : null
}
