/**
 * Headers of every answer, also of errors (security headers are a property of the server, not of a route). Pages replace the
 * policy by their own, with a nonce; a JSON answer needs nothing at all from a browser.
 */
export function securityHeaders({ secure }: { secure: boolean }): Readonly<Record<string, string>> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(secure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}
