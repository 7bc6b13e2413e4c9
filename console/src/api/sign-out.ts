import { visitor } from './client'
import { queryClient } from './query-client'
import { session } from './session'

/**
 * Ends the session at the service first: if that fails (it throws `Problem`) the visitor is still signed in and must know.
 * The cookie names the session, so this works with an expired access token too.
 * @param next where to go then; an address of another site must have been judged by `followable`
 */
export async function signOut(next = '/logged-out'): Promise<void> {
  await visitor.POST('/api/v1/auth/logout')
  session.end()
  queryClient.clear()
  // A new document: whatever this one still holds in memory goes with it.
  location.replace(next)
}
