/** The faults of a resource. */
export type ResourceFault = 'characters' | 'relative' | 'fragment' | 'userInfo' | 'scheme' | 'ours' | 'long'

const longest = 2000
const parts = /^([a-z][a-z0-9+.-]*):(?=.)(?:\/\/([^/?]*))?/i
const uriCharacters = /^(?:[\w\-.~:/?[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i
const privateScheme = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/i

/**
 * Validates the URI of an API in access tokens (RFC 8707, section 2), by the rules of the service.
 * @param at URL of the service, which can't be an API of an application
 * @returns the fault, or undefined
 */
export function faultOfResource(text: string, at: string): ResourceFault | undefined {
  if (text.length > longest) return 'long'
  if (text.includes('#')) return 'fragment'
  if (!uriCharacters.test(text)) return 'characters'
  const [, scheme, authority] = parts.exec(text) ?? []
  if (scheme === undefined || !URL.canParse(text)) return 'relative'
  const isWeb = /^https?$/i.test(scheme)
  if (!isWeb && !/^urn$/i.test(scheme) && !privateScheme.test(scheme)) return 'scheme'
  if (authority?.includes('@')) return 'userInfo'
  // The parser also accepts `https:host` and `https:///host`.
  if (isWeb && !authority) return 'relative'
  return isWeb && isBelow(new URL(text), new URL(at)) ? 'ours' : undefined
}

function isBelow(url: URL, base: URL): boolean {
  const root = base.pathname.replace(/\/$/, '')
  return siteOf(url) === siteOf(base) && (url.pathname === root || url.pathname.startsWith(`${root}/`))
}

/** Ignores a trailing dot of the host, and the difference between http and https. */
function siteOf({ origin }: URL): string {
  return new URL(origin.replace(/^https?:/, 'https:').replace(/\.(?=:\d+$|$)/, '')).origin
}
