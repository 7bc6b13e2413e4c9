/**
 * Why an address is none that a provider may have; undefined for one that it may.
 * @param httpAllowed where the service itself is reached in the clear
 */
export function addressFault(text: string, httpAllowed: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || /[\s\\]/.test(text) || !/^https?:\/\//i.test(text)) return 'must be an https address'
  if (url.username || url.password) return 'must not hold a user name or a password'
  if (url.hash || text.includes('#')) return 'must not have a fragment'
  return url.protocol === 'https:' || httpAllowed ? undefined : 'must be an https address'
}
