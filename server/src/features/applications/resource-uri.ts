const SCHEME = /^[a-z][a-z0-9+.-]*:[^#\s]+$/i
const URI_CHARACTERS = /^(?:[\w\-.~:/?[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i

/**
 * Why a text cannot name a resource server; undefined for one that can (RFC 8707 2: an absolute URI without a fragment). Nobody is
 * sent there: it is a name, which becomes the audience of access tokens, and so it must not be one of this service itself.
 */
export function resourceFault(uri: string, baseUrl: string): string | undefined {
  if (uri.includes('#')) return 'must not have a fragment, not even an empty one'
  if (!URI_CHARACTERS.test(uri)) return 'must hold only characters of a URI (RFC 3986)'
  if (!SCHEME.test(uri) || !URL.canParse(uri)) return 'must be an absolute URI, such as https://api.example.com'
  if (isOurs(new URL(uri), new URL(baseUrl)))
    return 'must not be an address of this service: its own issuers need no registration'
  return undefined
}

function isOurs(uri: URL, base: URL): boolean {
  if (uri.host !== base.host) return false
  const root = base.pathname.replace(/\/$/, '')
  return [root, `${root}/`].includes(uri.pathname) || uri.pathname.startsWith(`${root}/api/v1`)
}
