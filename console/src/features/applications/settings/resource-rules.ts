import type { ResourceFault } from '../../../words'

const longest = 2000
const parts = /^([a-z][a-z0-9+.-]*):(?=.)(?:\/\/([^/?]*))?/i
const uriCharacters = /^(?:[\w\-.~:/?[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i
const privateScheme = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/i

/**
 * What names an API in access tokens (RFC 8707, 2), by the service's own rules; it has the last word.
 * @param at address of the service, which is no API of an application
 * @returns what is wrong with it, or undefined
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
  // The parser also takes `https:host` and `https:///host`.
  if (isWeb && !authority) return 'relative'
  return isWeb && isBelow(new URL(text), new URL(at)) ? 'ours' : undefined
}

function isBelow(url: URL, base: URL): boolean {
  const root = base.pathname.replace(/\/$/, '')
  return siteOf(url) === siteOf(base) && (url.pathname === root || url.pathname.startsWith(`${root}/`))
}

/** With the dot that ends a full name, and by http instead of https on the default ports, it is the same host. */
function siteOf({ origin }: URL): string {
  return new URL(origin.replace(/^https?:/, 'https:').replace(/\.(?=:\d+$|$)/, '')).origin
}
