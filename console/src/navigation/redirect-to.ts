/** Schemes that run or show content in the origin of the console. */
const inPlace = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:']

/**
 * Validates a redirect of the service, possibly to the scheme of an application (RFC 8252).
 * @returns the normalized URL, or null if it must not be followed
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
