/**
 * Returns why a provider may not have this URL; undefined if it may.
 * @param httpAllowed true if this service itself is served over http
 */
export function urlViolation(text: string, httpAllowed: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || /[\s\\]/.test(text) || !/^https?:\/\//i.test(text)) return 'must be an https URL'
  if (url.username || url.password) return 'must not contain a username or a password'
  if (url.hash || text.includes('#')) return 'must not have a fragment'
  return url.protocol === 'https:' || httpAllowed ? undefined : 'must be an https URL'
}
