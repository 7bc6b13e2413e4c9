import type { LdapDirectory, LdapDirectoryChanges } from '../../../api/contract'
import type { Errors, Values } from '../../../ui/form/form-fields'
import { ldapWords as words } from '../../../words'
import { namesFor, namesIn } from '../../sign-in-providers/settings/attribute-names'
import { isCertificate, typedPem } from '../../sign-in-providers/settings/provider-form'
import { type LdapField, ldapFields, presetOf, presets, usualFilters } from './presets'

export const OTHER_INTERVAL = 'other'

/** Intervals that are offered by name, in minutes. */
export const INTERVALS = [0, 15, 60, 360, 1440, 10_080]

/** As the service names them, so that what it refuses is said at the field. */
export const ldapNames = [
  'preset',
  'ldapUrl',
  'startTls',
  'caCertificate',
  'ldapBindDn',
  'ldapBindPassword',
  'ldapBaseDn',
  'ldapUserFilter',
  'ldapGroupFilter',
  'pageSize',
  ...ldapFields,
  'interval',
  'scheduleMinutes',
  'signInEnabled',
] as const

type Name = (typeof ldapNames)[number]
type Typed = Values<Name>

/** Whether what is sent there can be read on its way. */
export const isPlain = ({ ldapUrl, startTls }: Pick<Typed, 'ldapUrl' | 'startTls'>): boolean =>
  /^ldap:/i.test(ldapUrl.trim()) && startTls === ''

/** @param saved the directory as the form was filled with it; null for a new one */
export function wrongDirectory(saved: LdapDirectory | null, values: Typed): Errors<Name> {
  const url = values.ldapUrl.trim()
  const isAddress = /^ldaps?:\/\/[^\s/]/i.test(url)
  const lacksPassword = (!saved || meetsAnother(saved, values)) && !values.ldapBindPassword
  const authority = values.caCertificate.trim()
  const minutes = minutesOf(values)
  const isInterval = minutes === 0 || (Number.isInteger(minutes) && minutes >= 5 && minutes <= 10_080)
  return {
    ...(!isAddress && { ldapUrl: words.urlWrong }),
    ...(values.startTls && /^ldaps:/i.test(url) && { startTls: words.startTlsWrong }),
    ...(authority && !isCertificate(authority) && { caCertificate: words.caWrong }),
    ...(!values.ldapBindDn.trim() && { ldapBindDn: words.missing }),
    ...(lacksPassword && { ldapBindPassword: saved ? words.passwordNeeded : words.missing }),
    ...(!values.ldapBaseDn.trim() && { ldapBaseDn: words.missing }),
    ...(!isPageSize(values.pageSize.trim()) && { pageSize: words.pageSizeWrong }),
    ...wrongMapping(values),
    ...(!isInterval && { scheduleMinutes: words.minutesWrong }),
  }
}

const isPageSize = (text: string): boolean =>
  text === '' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 1_000)

/** A name or an identifier of objects (RFC 4512 1.4). The service says it of the mapping as a whole; here it is said at the field. */
const ATTRIBUTE = /^([a-z][a-z0-9-]*|\d+(\.\d+)+)$/i

/** An attribute fills one field: the mapping has no room for a second one. */
function wrongMapping(values: Typed): Errors<Name> {
  const seen = new Set<string>()
  const wrong = ldapFields.flatMap((field) => {
    const names = namesIn(values[field])
    const isTwice = names.some((name) => seen.has(name))
    for (const name of names) seen.add(name)
    const odd = names.find((name) => !ATTRIBUTE.test(name))
    if (odd !== undefined) return [[field, words.mappingWrong(odd)]]
    return isTwice ? [[field, words.mappingTwice]] : []
  })
  return Object.fromEntries(wrong)
}

const minutesOf = ({ interval, scheduleMinutes }: Typed): number =>
  Number(interval === OTHER_INTERVAL ? scheduleMinutes.trim() || Number.NaN : interval)

/** Whether the password would come to somebody else, or by a way that others can see. */
function meetsAnother(saved: LdapDirectory, values: Typed): boolean {
  const now = settingsOf(saved, values)
  return (['ldapUrl', 'ldapBindDn', 'startTls', 'caCertificate'] as const).some((name) => now[name] !== saved[name])
}

/** Everything that the form says but the password. */
function settingsOf(saved: LdapDirectory | null, values: Typed) {
  const preset = presets.find((one) => one === values.preset) ?? presetOf(saved)
  return {
    preset,
    ldapUrl: values.ldapUrl.trim(),
    startTls: values.startTls !== '',
    caCertificate: typedPem(saved?.caCertificate, values.caCertificate),
    ldapBindDn: values.ldapBindDn.trim(),
    ldapBaseDn: values.ldapBaseDn.trim(),
    ldapUserFilter: values.ldapUserFilter.trim() || usualFilters[preset].users,
    ldapGroupFilter: values.ldapGroupFilter.trim() || usualFilters[preset].groups,
    attributeMapping: Object.fromEntries(
      ldapFields.flatMap((field) => namesIn(values[field]).map((name) => [name, field])),
    ),
    pageSize: values.pageSize.trim() ? Number(values.pageSize) : null,
    scheduleMinutes: minutesOf(values),
    signInEnabled: values.signInEnabled !== '',
  }
}

/** What is to be written: of a directory that is there only what was changed, so that what somebody else changed meanwhile stays. */
export function directoryChanges(saved: LdapDirectory | null, values: Typed): LdapDirectoryChanges {
  const now = settingsOf(saved, values)
  const changed = Object.entries(now).filter(
    ([name, value]) => !saved || !isSame(value, saved[name as keyof typeof now]),
  )
  return {
    ...Object.fromEntries(changed),
    ...(values.ldapBindPassword && { ldapBindPassword: values.ldapBindPassword }),
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b
  const sorted = (value: object) =>
    JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
  return sorted(a) === sorted(b)
}

/** What the form is filled with. The password is never among it. */
export function filledWith(saved: LdapDirectory | null) {
  const preset = presetOf(saved)
  const own = (filter: string | undefined, usual: string) => (filter === undefined || filter === usual ? '' : filter)
  const minutes = saved?.scheduleMinutes ?? 0
  const isOther = !INTERVALS.includes(minutes)
  return {
    preset,
    ldapUserFilter: own(saved?.ldapUserFilter, usualFilters[preset].users),
    ldapGroupFilter: own(saved?.ldapGroupFilter, usualFilters[preset].groups),
    pageSize: saved?.pageSize == null ? '' : String(saved.pageSize),
    mapping: (field: LdapField) => namesFor(field, saved?.attributeMapping ?? {}),
    interval: isOther ? OTHER_INTERVAL : String(minutes),
    scheduleMinutes: isOther ? String(minutes) : '',
  }
}
