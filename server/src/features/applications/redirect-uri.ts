import { isLoopbackHost } from '../../platform/config/config.js'

/** Which schemes beside https an address may have. */
export interface UriRules {
  /** http to any host, not to this machine alone: while the service itself is reached by http. */
  httpAnywhere: boolean
  /** Private-use schemes of installed apps (RFC 8252 7.1). */
  privateUse: boolean
}

const PARTS = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?]*))?/i
const URI_CHARACTERS = /^(?:[\w\-.~:/?[\]@!$&'()+,;=]|%[0-9a-f]{2})*$/i
const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::\d+)?$/i
const REVERSE_DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/i

/**
 * Why a browser must not be sent to this address; undefined for one to which it may (RFC 6749 3.1.2, RFC 8252 7, RFC 9700 4.1).
 * Addresses are compared byte for byte later, so what could be read in two ways is refused rather than normalized.
 */
export function uriFault(uri: string, rules: UriRules): string | undefined {
  if (uri.includes('#')) return 'must not have a fragment, not even an empty one'
  if (uri.includes('*')) return 'must not hold a wildcard'
  if (!URI_CHARACTERS.test(uri))
    return 'must hold only characters of a URI (RFC 3986): no blank, backslash or letter beyond ASCII, and % only before two hex digits'
  const [start, scheme, authority] = PARTS.exec(uri) ?? []
  if (scheme === undefined) return 'must be absolute, such as https://app.example.com/callback'
  if (authority?.includes('@')) return 'must not hold a user name or a password'
  if (!URL.canParse(uri)) return 'must be an address that can be opened'
  if (/^https?$/i.test(scheme)) return webFault(uri, scheme, authority ?? '', rules)
  if (!REVERSE_DOMAIN.test(scheme))
    return `must be https; the scheme ${scheme.toLowerCase().slice(0, 20)}: is not allowed`
  if (!rules.privateUse) return 'must be https; a private-use scheme is for public clients alone'
  if (authority === undefined && uri[start?.length ?? 0] !== '/') return `must go on with a slash after ${start}`
  return undefined
}

function webFault(uri: string, scheme: string, authority: string, { httpAnywhere }: UriRules): string | undefined {
  const host = HOST_AND_PORT.exec(authority)?.[1]?.toLowerCase()
  // Browsers read 0x7f.1, 127.1 and 2130706433 as 127.0.0.1: a host must be written as it is meant.
  if (host === undefined || new URL(uri).hostname !== host) return 'must name its host plainly'
  if (scheme.toLowerCase() === 'https' || httpAnywhere || isLoopbackHost(host)) return undefined
  return 'must be https; http is for this machine alone (localhost, 127.0.0.1, [::1])'
}
