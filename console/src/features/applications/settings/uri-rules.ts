import { followable } from '../../../navigation/redirect-to'
import type { UriFault } from '../../../words'

interface Rules {
  /** addresses of apps on a device (RFC 8252, 7.1), for clients that keep no secret */
  ownSchemes: boolean
  /** http for any host, while the service itself is reached by http */
  plainHttp: boolean
}

const longest = 2000
/** Schemes with a meaning of their own, which therefore are nobody's private ones. */
const taken = ['about:', 'ftp:', 'mailto:', 'tel:', 'sms:', 'ws:', 'wss:', 'view-source:', 'chrome:', 'intent:']

function isLoopback(hostname: string) {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/**
 * An address that the service would take a browser to, by the service's own rules; it has the last word.
 * @returns what is wrong with it, or undefined
 */
export function faultOfRedirect(text: string, { ownSchemes, plainHttp }: Rules): UriFault | undefined {
  if (text.length > longest) return 'long'
  if (/[\s\\]/.test(text)) return 'characters'
  if (text.includes('*')) return 'wildcard'
  if (text.includes('#')) return 'fragment'
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'relative'
  }
  const { protocol } = url
  if (protocol === 'https:' || protocol === 'http:') {
    // The parser also takes `https:host` and `https:/host`; compared letter by letter they would never match.
    if (!/^https?:\/\/[^/?]/i.test(text)) return 'relative'
    if (/^https?:\/\/[^/?]*@/i.test(text)) return 'userInfo'
    return protocol === 'https:' || plainHttp || isLoopback(url.hostname) ? undefined : 'plainHttp'
  }
  if (followable(text) === null) return 'inPlace'
  return ownSchemes && !taken.includes(protocol) ? undefined : 'scheme'
}

/** An address that the service itself calls. */
export function faultOfCalledAddress(text: string, rules: { plainHttp: boolean }): UriFault | undefined {
  const fault = faultOfRedirect(text, { ...rules, ownSchemes: false })
  return fault === 'scheme' || fault === 'plainHttp' ? 'notForWeb' : fault
}
