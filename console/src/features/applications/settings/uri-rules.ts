import { followable } from '../../../navigation/redirect-to'

export type UriFault =
  | 'characters'
  | 'relative'
  | 'wildcard'
  | 'fragment'
  | 'userInfo'
  | 'plainHttp'
  | 'scheme'
  | 'notForWeb'
  | 'inPlace'
  | 'long'

interface Rules {
  /** allows custom schemes (RFC 8252, section 7.1), for public clients */
  ownSchemes: boolean
  /** allows http for any host, as long as the service itself is reached by http */
  plainHttp: boolean
}

const longest = 2000
/** Registered schemes, which can't be custom ones. */
const taken = ['about:', 'ftp:', 'mailto:', 'tel:', 'sms:', 'ws:', 'wss:', 'view-source:', 'chrome:', 'intent:']

function isLoopback(hostname: string) {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/**
 * Validates a URL that the service redirects browsers to, by the rules of the service.
 * @returns the fault, or undefined
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
    // The parser also accepts `https:host` and `https:/host`, which an exact comparison never matches.
    if (!/^https?:\/\/[^/?]/i.test(text)) return 'relative'
    if (/^https?:\/\/[^/?]*@/i.test(text)) return 'userInfo'
    return protocol === 'https:' || plainHttp || isLoopback(url.hostname) ? undefined : 'plainHttp'
  }
  if (followable(text) === null) return 'inPlace'
  return ownSchemes && !taken.includes(protocol) ? undefined : 'scheme'
}

/** Validates a URL that the service calls. */
export function faultOfCalledAddress(text: string, rules: { plainHttp: boolean }): UriFault | undefined {
  const fault = faultOfRedirect(text, { ...rules, ownSchemes: false })
  return fault === 'scheme' || fault === 'plainHttp' ? 'notForWeb' : fault
}
