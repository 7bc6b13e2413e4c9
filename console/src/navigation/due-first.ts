import type { SessionView } from '../api/session-keeper'

/** A page that a signed-in user must visit before `returnTo`. */
export interface Detour {
  to: '/password-due' | '/mfa/enroll'
  search: { returnTo: string }
}

/**
 * Returns the page that the service requires first: until then it rejects almost all calls.
 * @param returnTo the destination, already validated
 */
export function dueFirst(view: SessionView | null, returnTo: string): Detour | null {
  if (view?.mustChangePassword) return { to: '/password-due', search: { returnTo } }
  if (view?.mfa.enrollmentRequired) return { to: '/mfa/enroll', search: { returnTo } }
  return null
}

/**
 * Returns the page that changes a password which is older than an application's team allows. The session does not show this: the service
 * rejects the sign-in to the application.
 */
export const passwordDueHref = (returnTo: string): string => `/password-due?${new URLSearchParams({ returnTo })}`

/** Like `dueFirst`; also returns, once per browser session, a step that will be required when the days of grace are over. */
export function dueAfterSignIn(view: SessionView | null, returnTo: string): Detour | null {
  const due = dueFirst(view, returnTo)
  if (due || !view) return due
  const { enabled, required } = view.mfa
  return required && !enabled && !skipped(view.user.id) ? { to: '/mfa/enroll', search: { returnTo } } : null
}

const key = 'keyward.enrollment-skipped'

function skipped(userId: string) {
  try {
    return sessionStorage.getItem(key) === userId
  } catch {
    return false
  }
}

/** Stores that the user postponed two-step verification. */
export function skipEnrollment(userId: string) {
  try {
    sessionStorage.setItem(key, userId)
  } catch {
    // Without storage, the next sign-in shows the page again.
  }
}
