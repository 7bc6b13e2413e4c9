import type { SessionId } from '../../platform/ids.js'
import type { SamlProviderDeps } from './deps.js'
import { goOn, writeMessage } from './logout-messages.js'
import { toBeTold } from './to-be-told.js'

/**
 * A sign-out that began here: where the browser goes with the word to the first application that was told of the session, from where it
 * comes back for the next, and then goes on. The session is over already: whoever does not come back has signed out all the same.
 * @param goesOn where the browser goes behind the last one: a page of ours, or an address that is registered
 * @returns null where there is nobody to be told
 */
export async function leaveApplications(
  deps: SamlProviderDeps,
  session: SessionId,
  goesOn: string,
): Promise<string | null> {
  const next = await deps.db.transaction(async (tx) => {
    const { left, tooMany } = await toBeTold(tx, [session], null)
    return left.length > 0 ? goOn(tx, deps, null, { goesOn, partial: tooMany, waiting: null, left }) : undefined
  })
  const answer = next && (await writeMessage(deps, next))
  return answer && 'redirectTo' in answer ? answer.redirectTo : null
}
