import { followable } from '../navigation/redirect-to'
import { answerOf, visitor } from './client'
import { session } from './session'
import { leaveDocument } from './sign-in-again'

const cleanups = new Set<() => void>()

/** Runs `cleanup` at each sign-out. */
export const atSignOut = (cleanup: () => void): void => void cleanups.add(cleanup)

/**
 * Ends the session at the service first: if that fails (it throws `Problem`) the visitor is still signed in and must know.
 * The cookie names the session, so this works with an expired access token too. The browser then goes through the applications, and to
 * the provider, that end sessions of their own, and comes to `next`.
 * @param next the path to go to then
 */
export async function signOut(next?: string): Promise<void> {
  const query = next === undefined ? {} : { returnTo: next }
  const { redirectTo } = await answerOf(visitor.POST('/api/v1/sso/logout', { params: { query } }))
  leave(redirectTo, next)
}

/**
 * The same for a sign-out that an application asked for and the visitor confirms.
 * @returns where the browser goes; an address of an app opens that app, and the page stays
 */
export async function confirmSignOut(resume: string): Promise<string | null> {
  const { redirectTo } = await answerOf(
    visitor.POST('/api/v1/public/logout/{resume}', { params: { path: { resume } } }),
  )
  return leave(redirectTo)
}

/** Forgets the session that the service ended, and leaves for the next page. */
export function leave(redirectTo: string | null, next = '/logged-out'): string | null {
  const href = redirectTo === null ? null : followable(redirectTo)
  session.end()
  for (const forget of cleanups) forget()
  // A new document: whatever this one still holds in memory goes with it.
  leaveDocument(href ?? next)
  return href
}
