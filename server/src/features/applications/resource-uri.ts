const PARTS = /^([a-z][a-z0-9+.-]*):(?=.)(?:\/\/([^/?]*))?/i
const URI_CHARACTERS = /^(?:[\w\-.~:/?[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i
const PRIVATE_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/i

/**
 * Why a text cannot name a resource server; undefined for one that can (RFC 8707 2: an absolute URI without a fragment). Nobody is
 * sent there: it is a name, which becomes the audience of access tokens, and so it must not be one of this service itself. But
 * resource servers show what they accept, and a name that a browser would run, or that carries a password, must not get so far.
 */
export function resourceFault(uri: string, baseUrl: string): string | undefined {
  if (uri.includes('#')) return 'must not have a fragment, not even an empty one'
  if (!URI_CHARACTERS.test(uri)) return 'must hold only characters of a URI (RFC 3986)'
  const [, scheme, authority] = PARTS.exec(uri) ?? []
  if (scheme === undefined || !URL.canParse(uri)) return 'must be an absolute URI, such as https://api.example.com'
  const isWeb = /^https?$/i.test(scheme)
  if (!isWeb && !/^urn$/i.test(scheme) && !PRIVATE_SCHEME.test(scheme))
    return 'must be https, http, urn or a private scheme with a dot in it, such as com.example.billing'
  if (authority?.includes('@')) return 'must not hold a user name or a password'
  // URL reads https:api.example.com and https:///api.example.com as well: a host must be written as it is meant.
  if (isWeb && !authority) return 'must name its host plainly'
  if (isWeb && isOurs(new URL(uri), new URL(baseUrl)))
    return 'must not be an address of this service: its own issuers need no registration'
  return undefined
}

/** At a host that is this service's alone every path is ours, in whatever spelling; under a path of a shared host, what is below it. */
function isOurs(uri: URL, base: URL): boolean {
  if (originOf(uri) !== originOf(base)) return false
  const root = base.pathname.replace(/\/$/, '')
  return uri.pathname === root || uri.pathname.startsWith(`${root}/`)
}

/** Of a host with the dot that ends a full name, and by http instead of https on the default ports, the same. */
function originOf({ origin }: URL): string {
  return new URL(origin.replace(/^https?:/, 'https:').replace(/\.(?=:\d+$|$)/, '')).origin
}
