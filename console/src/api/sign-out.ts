import { followable } from '../navigation/redirect-to'
import { answerOf, visitor } from './client'
import { asProblem, unreachable } from './problem'
import { queryClient } from './query-client'
import { session } from './session'

const LOGGED_OUT = '/logged-out'

/**
 * Ends the session at the service first: if that fails (it throws `Problem`) the visitor is still signed in and must know.
 * Where others have to be told, as the provider that opened the session, the browser goes there, and comes back signed out.
 * @param next where to go instead, as to the form for another account; an address of another site must have been judged by `followable`
 */
export async function signOut(next?: string): Promise<void> {
  const goesOn = next === undefined ? await endEverywhere() : await endHere()
  session.end()
  queryClient.clear()
  // A new document: whatever this one still holds in memory goes with it.
  location.replace(next ?? followable(goesOn ?? '') ?? LOGGED_OUT)
}

/** The cookie names the session, so this works with an access token that is over too. */
async function endHere(): Promise<null> {
  await visitor.POST('/api/v1/auth/logout')
  return null
}

/** @returns where the browser goes to so that others end their sessions; null where nobody has to be told */
async function endEverywhere(): Promise<string | null> {
  const bearer = await session.bearer()
  if (bearer === 'unavailable') throw unreachable()
  if (bearer === 'ended') return endHere()
  const headers = { Authorization: `Bearer ${bearer.token}` }
  try {
    const { redirectTo } = await answerOf(visitor.POST('/api/v1/sso/logout', { headers }))
    return redirectTo
  } catch (thrown) {
    // Somebody ended the session meanwhile: its cookies are still there.
    if (asProblem(thrown).status === 401) return endHere()
    throw thrown
  }
}
