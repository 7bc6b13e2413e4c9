import { consentWords as words } from '../../words'

/** Where an application takes the visitor afterwards, as they would recognise it. @param redirectUri as it was registered */
export function destination(redirectUri: string): string {
  let url: URL
  try {
    url = new URL(redirectUri)
  } catch {
    return redirectUri
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return words.thisDevice(url.protocol)
  const loopback = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\./.test(url.hostname)
  return loopback ? words.thisComputer(url.host) : url.host
}
