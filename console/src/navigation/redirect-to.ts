/** Schemes that run or show content in our own name instead of leaving for another place. */
const inPlace = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:']

/**
 * A redirect the service answered with, possibly to an application's own scheme (RFC 8252).
 * @returns the URL in its normal form, or null where it must not be followed
 */
export function followable(redirectTo: string): string | null {
  let url: URL
  try {
    url = new URL(redirectTo)
  } catch {
    return null
  }
  return inPlace.includes(url.protocol) ? null : url.href
}
