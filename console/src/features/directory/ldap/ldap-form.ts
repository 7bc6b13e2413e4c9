import type { UseFormReturnType } from '@mantine/form'
import { boolean, type GenericSchema, object, pipe, string } from 'valibot'
import type { LdapDirectory, LdapDirectoryChanges } from '../../../api/contract'
import m from '../../../messages/en/ldap.json'
import { type FieldErrors, fieldRules } from '../../../ui/form/field-rules'
import { namesFor, namesIn } from '../../sign-in-providers/settings/attribute-names'
import { isCertificate, typedPem } from '../../sign-in-providers/settings/provider-form'
import { defaultFilters, type LdapField, ldapFields, presetOf, presets } from './presets'

export const OTHER_INTERVAL = 'other'

/** The offered intervals, in minutes. */
export const INTERVALS = [0, 15, 60, 360, 1440, 10_080]

/** The fields of the form, named as in the API so that its errors appear at the field. */
export type LdapValues = Record<LdapField, string> & {
  preset: string
  ldapUrl: string
  startTls: boolean
  caCertificate: string
  ldapBindDn: string
  ldapBindPassword: string
  ldapBaseDn: string
  ldapUserFilter: string
  ldapGroupFilter: string
  pageSize: string
  interval: string
  scheduleMinutes: string
  signInEnabled: boolean
}

export type LdapForm = UseFormReturnType<LdapValues>

/** Returns whether data is sent to the server unencrypted. */
export const isPlain = ({ ldapUrl, startTls }: Pick<LdapValues, 'ldapUrl' | 'startTls'>): boolean =>
  /^ldap:/i.test(ldapUrl.trim()) && !startTls

/** The initial values of the form. They never contain the password. */
export function ldapValues(saved: LdapDirectory | null): LdapValues {
  const preset = presetOf(saved)
  const custom = (filter: string | undefined, usual: string) => (filter === undefined || filter === usual ? '' : filter)
  const minutes = saved?.scheduleMinutes ?? 0
  const isOther = !INTERVALS.includes(minutes)
  const mapping = ldapFields.map((field) => [field, namesFor(field, saved?.attributeMapping ?? {})])
  return {
    preset,
    ldapUrl: saved?.ldapUrl ?? '',
    startTls: saved?.startTls ?? false,
    caCertificate: saved?.caCertificate ?? '',
    ldapBindDn: saved?.ldapBindDn ?? '',
    ldapBindPassword: '',
    ldapBaseDn: saved?.ldapBaseDn ?? '',
    ldapUserFilter: custom(saved?.ldapUserFilter, defaultFilters[preset].users),
    ldapGroupFilter: custom(saved?.ldapGroupFilter, defaultFilters[preset].groups),
    pageSize: saved?.pageSize == null ? '' : String(saved.pageSize),
    ...(Object.fromEntries(mapping) as Record<LdapField, string>),
    interval: isOther ? OTHER_INTERVAL : String(minutes),
    scheduleMinutes: isOther ? String(minutes) : '',
    signInEnabled: saved?.signInEnabled ?? false,
  }
}

/** @param saved the directory with which the form was filled; null for a new one */
export function ldapSchema(saved: LdapDirectory | null): GenericSchema<LdapValues> {
  const fields = Object.entries(ldapValues(saved)).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? boolean() : string(),
  ])
  return pipe(
    object(Object.fromEntries(fields)) as unknown as GenericSchema<LdapValues>,
    fieldRules<LdapValues>((values) => ldapErrors(saved, values)),
  )
}

export function ldapErrors(saved: LdapDirectory | null, values: LdapValues): FieldErrors<LdapValues> {
  const url = values.ldapUrl.trim()
  const lacksPassword = (!saved || changesReceiver(saved, values)) && !values.ldapBindPassword
  const authority = values.caCertificate.trim()
  const minutes = minutesOf(values)
  const isInterval = minutes === 0 || (Number.isInteger(minutes) && minutes >= 5 && minutes <= 10_080)
  return {
    ...(!/^ldaps?:\/\/[^\s/]/i.test(url) && { ldapUrl: m.urlWrong() }),
    ...(values.startTls && /^ldaps:/i.test(url) && { startTls: m.startTlsWrong() }),
    ...(authority && !isCertificate(authority) && { caCertificate: m.caWrong() }),
    ...(!values.ldapBindDn.trim() && { ldapBindDn: m.missing() }),
    ...(lacksPassword && { ldapBindPassword: saved ? m.passwordNeeded() : m.missing() }),
    ...(!values.ldapBaseDn.trim() && { ldapBaseDn: m.missing() }),
    ...(!isPageSize(values.pageSize.trim()) && { pageSize: m.pageSizeWrong() }),
    ...mappingErrors(values),
    ...(!isInterval && { scheduleMinutes: m.minutesWrong() }),
  }
}

const isPageSize = (text: string): boolean =>
  text === '' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 1_000)

/** An attribute name or an object identifier (RFC 4512 1.4). The service reports the mapping as a whole, the form reports the field. */
const ATTRIBUTE = /^([a-z][a-z0-9-]*|\d+(\.\d+)+)$/i

/** An attribute can fill one field only: the mapping is keyed by attribute. */
function mappingErrors(values: LdapValues): FieldErrors<LdapValues> {
  const seen = new Set<string>()
  const errors = ldapFields.flatMap((field) => {
    const names = namesIn(values[field])
    const isTwice = names.some((name) => seen.has(name))
    for (const name of names) seen.add(name)
    const invalid = names.find((name) => !ATTRIBUTE.test(name))
    if (invalid !== undefined) return [[field, m.attributeWrong({ name: invalid })]]
    return isTwice ? [[field, m.attributeTwice()]] : []
  })
  return Object.fromEntries(errors)
}

const minutesOf = ({ interval, scheduleMinutes }: LdapValues): number =>
  Number(interval === OTHER_INTERVAL ? scheduleMinutes.trim() || Number.NaN : interval)

/** Returns whether the stored password would be sent to another server or account, or with other encryption. */
function changesReceiver(saved: LdapDirectory, values: LdapValues): boolean {
  const now = settingsOf(saved, values)
  return (['ldapUrl', 'ldapBindDn', 'startTls', 'caCertificate'] as const).some((name) => now[name] !== saved[name])
}

/** All settings of the form except the password. */
function settingsOf(saved: LdapDirectory | null, values: LdapValues) {
  const preset = presets.find((one) => one === values.preset) ?? presetOf(saved)
  return {
    preset,
    ldapUrl: values.ldapUrl.trim(),
    startTls: values.startTls,
    caCertificate: typedPem(saved?.caCertificate, values.caCertificate),
    ldapBindDn: values.ldapBindDn.trim(),
    ldapBaseDn: values.ldapBaseDn.trim(),
    ldapUserFilter: values.ldapUserFilter.trim() || defaultFilters[preset].users,
    ldapGroupFilter: values.ldapGroupFilter.trim() || defaultFilters[preset].groups,
    attributeMapping: Object.fromEntries(
      ldapFields.flatMap((field) => namesIn(values[field]).map((name) => [name, field])),
    ),
    pageSize: values.pageSize.trim() ? Number(values.pageSize) : null,
    scheduleMinutes: minutesOf(values),
    signInEnabled: values.signInEnabled,
  }
}

/** Returns the changed settings only, so that changes by others meanwhile are kept; all settings for a new directory. */
export function directoryChanges(saved: LdapDirectory | null, values: LdapValues): LdapDirectoryChanges {
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
