/**
 * Cookies, the Origin check and passkeys all belong to one host. Opened under another one the sign-in form could only fail,
 * so the visitor is sent on or told why.
 */
export type HostVerdict = { kind: 'fine' } | { kind: 'redirect'; to: string } | { kind: 'foreign'; expected: string }

function isLoopback(hostname: string) {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/**
 * @param here the full URL of this page, as the visitor opened it
 * @param frontendUrl the URL the service is configured for
 * @returns `redirect` for another spelling of the same loopback address, `foreign` for any other host
 */
export function judgeHost(here: string, frontendUrl: string): HostVerdict {
  const actual = new URL(here)
  const expected = new URL(frontendUrl)
  if (actual.origin === expected.origin) return { kind: 'fine' }
  // Another port or scheme is another service: nothing says that anybody listens there.
  const sameService = actual.port === expected.port && actual.protocol === expected.protocol
  if (sameService && isLoopback(actual.hostname) && isLoopback(expected.hostname)) {
    return { kind: 'redirect', to: expected.origin + actual.pathname + actual.search + actual.hash }
  }
  return { kind: 'foreign', expected: expected.origin }
}
