/**
 * Cookies, the Origin check and passkeys belong to one host. On another host the sign-in form would fail, so the user is redirected or
 * informed.
 */
export type HostVerdict = { kind: 'fine' } | { kind: 'redirect'; to: string } | { kind: 'foreign'; expected: string }

function isLoopback(hostname: string) {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/**
 * @param here the full URL of this page
 * @param frontendUrl the configured URL of the service
 * @returns `redirect` for another spelling of the same loopback address, `foreign` for any other host
 */
export function judgeHost(here: string, frontendUrl: string): HostVerdict {
  const actual = new URL(here)
  const expected = new URL(frontendUrl)
  if (actual.origin === expected.origin) return { kind: 'fine' }
  // Another port or scheme may be another service.
  const sameService = actual.port === expected.port && actual.protocol === expected.protocol
  if (sameService && isLoopback(actual.hostname) && isLoopback(expected.hostname)) {
    return { kind: 'redirect', to: expected.origin + actual.pathname + actual.search + actual.hash }
  }
  return { kind: 'foreign', expected: expected.origin }
}
