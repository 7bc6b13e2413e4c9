import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SessionId } from '../../../platform/ids.js'
import type { SamlProviderDeps } from '../model/deps.js'
import { applicationsToNotify } from './applications-to-notify.js'
import { nextMessage, writeMessage } from './logout-messages.js'
import type { Continuation } from './stored-logout.js'

/**
 * Starts the notification of SAML applications after a sign-out here. The browser visits each application and then continues to `goesOn`.
 * The session has already ended, even if the browser does not return.
 * @param goesOn called only if an application must be notified; returns where the browser continues after the last one
 * @returns the URL of the first application; null if no application must be notified
 */
export async function leaveApplications(
  deps: SamlProviderDeps,
  session: SessionId,
  goesOn: () => Promise<Continuation>,
  origin: RequestOrigin,
): Promise<string | null> {
  const { left, tooMany } = await deps.db.transaction((tx) => applicationsToNotify(tx, [session], null))
  if (left.length === 0) return null
  const logout = { ...(await goesOn()), partial: tooMany, waiting: null, left }
  const answer = await writeMessage(
    deps,
    await deps.db.transaction((tx) => nextMessage(tx, deps, null, logout)),
    origin,
  )
  return 'redirectTo' in answer ? answer.redirectTo : null
}
