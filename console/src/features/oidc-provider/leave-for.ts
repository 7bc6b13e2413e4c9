import { followable } from '../../navigation/redirect-to'

/** What became of a redirect: the browser is leaving, an app on the device takes over, or it must not be followed. */
export type Departure = 'leaving' | 'handed-over' | 'refused'

export function leaveFor(redirectTo: string): Departure {
  const href = followable(redirectTo)
  if (!href) return 'refused'
  location.replace(href)
  // An address of an app opens that app; this page stays where it is.
  return /^https?:/.test(href) ? 'leaving' : 'handed-over'
}
