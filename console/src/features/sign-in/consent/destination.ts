import m from '../../../messages/en/consent.json'

/** Returns a readable name for the target of a redirect. @param redirectUri as it is registered */
export function destination(redirectUri: string): string {
  let url: URL
  try {
    url = new URL(redirectUri)
  } catch {
    return redirectUri
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return m.thisDevice({ scheme: url.protocol })
  const loopback = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\./.test(url.hostname)
  return loopback ? m.thisComputer({ host: url.host }) : url.host
}
