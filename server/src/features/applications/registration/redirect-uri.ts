import { isLoopbackHost } from '../../../platform/config/config.js'

/** The URI schemes that are allowed in addition to https. */
export interface UriRules {
  /** Allows http to any host, not only to loopback addresses; true if `BASE_URL` uses http. */
  isHttpAllowed: boolean
  /** Allows private-use schemes of native apps (RFC 8252 7.1). */
  isPrivateUseAllowed: boolean
}

const PARTS = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?]*))?/i
const URI_CHARACTERS = /^(?:[\w\-.~:/?[\]@!$&'()+,;=]|%[0-9a-f]{2})*$/i
const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::\d+)?$/i
const REVERSE_DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/i

/**
 * Returns why the redirect URI is rejected, or undefined if it is valid (RFC 6749 3.1.2, RFC 8252 7, RFC 9700 4.1). URIs are later compared
 * byte for byte, so ambiguous ones are rejected rather than normalized.
 */
export function uriViolation(uri: string, rules: UriRules): string | undefined {
  if (uri.includes('#')) return 'must not have a fragment, not even an empty one'
  if (uri.includes('*')) return 'must not contain a wildcard'
  if (!URI_CHARACTERS.test(uri))
    return 'must contain only characters of a URI (RFC 3986): no space, backslash or letter beyond ASCII, and % only before two hex digits'
  const [start, scheme, authority] = PARTS.exec(uri) ?? []
  if (scheme === undefined) return 'must be absolute, such as https://app.example.com/callback'
  if (authority?.includes('@')) return 'must not contain a username or password'
  if (!URL.canParse(uri)) return 'must be a valid URL'
  if (/^https?$/i.test(scheme)) return webUriViolation(uri, scheme, authority ?? '', rules)
  if (!REVERSE_DOMAIN.test(scheme))
    return `must be https; the scheme ${scheme.toLowerCase().slice(0, 20)}: is not allowed`
  if (!rules.isPrivateUseAllowed) return 'must be https; a private-use scheme is for public clients only'
  if (authority === undefined && uri[start?.length ?? 0] !== '/')
    return `must have a slash after the scheme, such as ${start}/callback`
  return undefined
}

/** Returns why an http or https URI is rejected, or undefined if it is valid. */
function webUriViolation(
  uri: string,
  scheme: string,
  authority: string,
  { isHttpAllowed }: UriRules,
): string | undefined {
  const host = HOST_AND_PORT.exec(authority)?.[1]?.toLowerCase()
  // Browsers read 0x7f.1, 127.1 and 2130706433 as 127.0.0.1, so only the canonical form is accepted.
  if (host === undefined || new URL(uri).hostname !== host)
    return 'must have a valid host in canonical form, such as 127.0.0.1 instead of 127.1'
  if (scheme.toLowerCase() === 'https' || isHttpAllowed || isLoopbackHost(host)) return undefined
  return 'must be https; http is for loopback addresses only (localhost, 127.0.0.1, [::1])'
}
