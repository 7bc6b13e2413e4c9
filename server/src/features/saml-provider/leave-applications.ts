import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId } from '../../platform/ids.js'
import { applicationsToNotify } from './applications-to-notify.js'
import type { SamlProviderDeps } from './deps.js'
import { goOn, writeMessage } from './logout-messages.js'
import type { GoesOn } from './stored-logout.js'

/**
 * A sign-out that began here: where the browser goes with the word to the first application that was told of the session, from where it
 * comes back for the next, and then goes on. The session is over already: whoever does not come back has signed out all the same.
 * @param goesOn asked only where somebody is to be told: where the browser goes behind the last one
 * @returns null where there is nobody to be told
 */
export async function leaveApplications(
  deps: SamlProviderDeps,
  session: SessionId,
  goesOn: () => Promise<GoesOn>,
  origin: RequestOrigin,
): Promise<string | null> {
  const { left, tooMany } = await deps.db.transaction((tx) => applicationsToNotify(tx, [session], null))
  if (left.length === 0) return null
  const logout = { ...(await goesOn()), partial: tooMany, waiting: null, left }
  const answer = await writeMessage(deps, await deps.db.transaction((tx) => goOn(tx, deps, null, logout)), origin)
  return 'redirectTo' in answer ? answer.redirectTo : null
}
