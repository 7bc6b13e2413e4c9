const PARTS = /^([a-z][a-z0-9+.-]*):(?=.)(?:\/\/([^/?]*))?/i
const URI_CHARACTERS = /^(?:[\w\-.~:/?[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i
const PRIVATE_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/i

/**
 * Returns why a string cannot identify a resource server; undefined if it can (RFC 8707 2: an absolute URI without a fragment). The
 * URI becomes the audience of access tokens, so it must not identify this service. The service never requests it, but resource servers display it,
 * so schemes that a browser would run and passwords are rejected.
 */
export function resourceViolation(uri: string, baseUrl: string): string | undefined {
  if (uri.includes('#')) return 'must not have a fragment, not even an empty one'
  if (!URI_CHARACTERS.test(uri)) return 'must contain only characters of a URI (RFC 3986)'
  const [, scheme, authority] = PARTS.exec(uri) ?? []
  if (scheme === undefined || !URL.canParse(uri)) return 'must be an absolute URI, such as https://api.example.com'
  const isWeb = /^https?$/i.test(scheme)
  if (!isWeb && !/^urn$/i.test(scheme) && !PRIVATE_SCHEME.test(scheme))
    return 'must be https, http, urn or a private scheme with a dot in it, such as com.example.billing'
  if (authority?.includes('@')) return 'must not contain a username or password'
  // URL also parses https:api.example.com and https:///api.example.com, so only the canonical form is accepted.
  if (isWeb && !authority) return 'must contain its host in canonical form'
  if (isWeb && isOurs(new URL(uri), new URL(baseUrl)))
    return 'must not be a URL of this service: its own issuers need no registration'
  return undefined
}

/** Returns whether the URI belongs to this service: any path of a dedicated host, or paths below the base path of a shared host. */
function isOurs(uri: URL, base: URL): boolean {
  if (originOf(uri) !== originOf(base)) return false
  const root = base.pathname.replace(/\/$/, '')
  return uri.pathname === root || uri.pathname.startsWith(`${root}/`)
}

/** Returns the origin without the final dot of the host, and with http treated as https on the default ports. */
function originOf({ origin }: URL): string {
  return new URL(origin.replace(/^https?:/, 'https:').replace(/\.(?=:\d+$|$)/, '')).origin
}
