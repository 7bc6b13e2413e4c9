import { followable } from '../navigation/redirect-to'
import { answerOf, visitor } from './client'
import { session } from './session'
import { endingSession, leaveDocument } from './sign-in-again'

const cleanups = new Set<() => void>()

/** Runs `cleanup` at each sign-out. */
export const atSignOut = (cleanup: () => void): void => void cleanups.add(cleanup)

/**
 * Revokes the session at the service first: if this fails (throws `Problem`), the user is still signed in. The cookie identifies the
 * session, so an expired access token is enough. The browser then visits the applications, and the provider, that end their own sessions,
 * and returns to `next`.
 * @param next the path to return to
 */
export async function signOut(next?: string): Promise<void> {
  const query = next === undefined ? {} : { returnTo: next }
  const { redirectTo } = await endingSession(() => answerOf(visitor.POST('/api/v1/sso/logout', { params: { query } })))
  leave(redirectTo, next)
}

/**
 * Confirms a sign-out that an application requested.
 * @returns the redirect URL; one with the scheme of an app opens that app, and the page stays
 */
export async function confirmSignOut(resume: string): Promise<string | null> {
  const { redirectTo } = await endingSession(() =>
    answerOf(visitor.POST('/api/v1/public/logout/{resume}', { params: { path: { resume } } })),
  )
  return leave(redirectTo)
}

/** Removes the session that the service revoked, and opens the next page. */
export function leave(redirectTo: string | null, next = '/logged-out'): string | null {
  const href = redirectTo === null ? null : followable(redirectTo)
  session.end()
  for (const cleanup of cleanups) cleanup()
  // A new document discards everything in memory.
  leaveDocument(href ?? next)
  return href
}
