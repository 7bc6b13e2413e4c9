import type { SsoProvider, SsoProviderChanges } from '../../../api/contract'
import type { Errors } from '../../../ui/form/form-fields'
import { filledRows } from '../../../ui/form/rows-field'
import { ssoWords as words } from '../../../words'

/** What can be a domain as people type it; what is one the service decides. */
export const looksLikeDomain = (text: string): boolean => /^[^\s@:/.]+(?:\.[^\s@:/.]+)+$/.test(text)

/** An address that the service would ask. While it is itself reached by http (a laptop), so may others be. */
export function faultOfAddress(text: string, plainHttp = location.protocol === 'http:'): string | undefined {
  if (/[{}]/.test(text)) return words.issuerOpen
  return (plainHttp ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i).test(text) ? undefined : words.issuerWrong
}

/** For `useForm`: what is wrong with each row of domains under `name`. */
export function wrongDomains<Name extends string>(name: Name, value: string): Errors<Name> {
  const wrong = value
    .split('\n')
    .flatMap((row, place) =>
      row.trim() && !looksLikeDomain(row.trim()) ? [[`${name}/${place}`, words.domainWrong]] : [],
    )
  return Object.fromEntries(wrong) as Errors<Name>
}

export const domainsOf = (value: string): string[] => [
  ...new Set(filledRows(value).map((domain) => domain.toLowerCase())),
]

/** Only what was changed, so that what somebody else changed meanwhile stays. */
export function changesOf(provider: SsoProvider, now: SsoProviderChanges): SsoProviderChanges {
  const before = provider as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(now).filter(
      ([name, value]) => JSON.stringify(value ?? null) !== JSON.stringify(before[name] ?? null),
    ),
  )
}

const linesOf = (pem: string): string => pem.replaceAll(/\r\n?/g, '\n').trim()

/** Returns the typed certificate; null for none. Browsers change the line ends of a text area: one that differs only in them is unchanged. */
export const typedPem = (saved: string | null | undefined, typed: string): string | null =>
  saved && linesOf(saved) === linesOf(typed) ? saved : linesOf(typed) || null

/** What looks like a certificate as text; what is one the service decides. */
export const isCertificate = (text: string): boolean => text.includes('-----BEGIN CERTIFICATE-----')
