import type { SessionView } from '../api/session-keeper'

/** Where somebody who is signed in has to go before `returnTo`. */
export interface Detour {
  to: '/password-due' | '/mfa/enroll'
  search: { returnTo: string }
}

/**
 * What the service asks of this person before everything else: until it is done, it answers hardly anything.
 * @param returnTo where the person wants to go, judged already
 */
export function dueFirst(view: SessionView | null, returnTo: string): Detour | null {
  if (view?.mustChangePassword) return { to: '/password-due', search: { returnTo } }
  if (view?.mfa.enrollmentRequired) return { to: '/mfa/enroll', search: { returnTo } }
  return null
}

/**
 * Returns the page that changes a password which is older than the team of an application allows, though no team of the session does: the
 * session does not say so, but the service rejects the sign-in to the application.
 */
export const passwordDueHref = (returnTo: string): string => `/password-due?${new URLSearchParams({ returnTo })}`

/** As `dueFirst`; and once in a browser session, what will be asked for when the days of grace are over. */
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

/** Remembers that this person set up no second factor for now. */
export function skipEnrollment(userId: string) {
  try {
    sessionStorage.setItem(key, userId)
  } catch {
    // Without storage the next sign-in asks again.
  }
}
