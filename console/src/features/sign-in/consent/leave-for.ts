import { followable } from '../../../navigation/redirect-to'

/** The result of a redirect: the browser is leaving, an app on the device opens, or the URL is rejected. */
export type Departure = 'leaving' | 'handed-over' | 'rejected'

export function leaveFor(redirectTo: string): Departure {
  const href = followable(redirectTo)
  if (!href) return 'rejected'
  location.replace(href)
  // A URL with the scheme of an app opens that app; this page stays.
  return /^https?:/.test(href) ? 'leaving' : 'handed-over'
}
