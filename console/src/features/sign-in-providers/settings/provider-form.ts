import type { SsoProvider, SsoProviderChanges } from '../../../api/contract'
import m from '../../../messages/en/sign-in-providers.json'

/** Returns whether text can be a domain. The service decides whether it is one. */
export const isDomain = (text: string): boolean => /^[^\s@:/.]+(?:\.[^\s@:/.]+)+$/.test(text)

/** Returns the error in a URL. http is accepted only while the service itself is reached over http. */
export function urlError(text: string, plainHttp = location.protocol === 'http:'): string | undefined {
  if (/[{}]/.test(text)) return m.urlPlaceholder()
  return (plainHttp ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i).test(text.trim()) ? undefined : m.urlWrong()
}

/** Returns the domains in a field, which commas or spaces separate. */
export const domainsIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
]

/** @param needed at least one domain is required */
export function domainsError(text: string, needed: boolean): string | undefined {
  const domains = domainsIn(text)
  if (needed && domains.length === 0) return m.domainsNeeded()
  return domains.every(isDomain) ? undefined : m.domainWrong()
}

/** Returns the changed settings only, so that changes by others meanwhile are kept. */
export function changesOf(provider: SsoProvider, now: SsoProviderChanges): SsoProviderChanges {
  const before = provider as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(now).filter(
      ([name, value]) => JSON.stringify(value ?? null) !== JSON.stringify(before[name] ?? null),
    ),
  )
}

const withLineFeeds = (pem: string): string => pem.replaceAll(/\r\n?/g, '\n').trim()

/** Returns the typed certificate; null for none. A textarea changes line ends: a value that differs only in them is unchanged. */
export const typedPem = (saved: string | null | undefined, typed: string): string | null =>
  saved && withLineFeeds(saved) === withLineFeeds(typed) ? saved : withLineFeeds(typed) || null

/** Returns whether text can be a PEM certificate. The service decides whether it is one. */
export const isCertificate = (text: string): boolean => text.includes('-----BEGIN CERTIFICATE-----')
