import type { FieldError } from '../../../platform/app-error.js'
import { caCertificateViolation } from '../../../platform/crypto/ca-certificates.js'
import { rejection } from '../../../platform/errors.js'
import { filterError, isDn } from '../../../protocols/ldap/index.js'
import type { DirectorySettings } from '../model/directory.js'
import { FORMER_FILTERS, isProfileField, PRESETS, PROFILE_FIELDS } from '../model/ldap-attributes.js'

/** The requested settings, with the bind password in plaintext. */
export type RequestedSettings = Partial<DirectorySettings> & { bindPassword?: string }

/** Required settings and their initial values. */
const BLANK = { url: '', baseDn: '', bindDn: '' }
const MAX_MINUTES = 10_080
const MIN_MINUTES = 5

/**
 * Returns the settings after `requested` is applied. The result must be complete.
 * @param before undefined on creation
 * @throws invalid_request with every invalid field
 */
export function resolveSettings(
  before: DirectorySettings | undefined,
  requested: RequestedSettings,
): DirectorySettings {
  const { bindPassword, ...given } = requested
  const preset = given.preset ?? before?.preset ?? 'active-directory'
  const was: DirectorySettings = before ?? {
    ...BLANK,
    enabled: true,
    preset,
    startTls: false,
    caCertificate: null,
    ...PRESETS[preset],
    attributeMapping: {},
    pageSize: null,
    scheduleMinutes: 0,
    signInEnabled: false,
  }
  const resolved: DirectorySettings = { ...was, ...followPreset(was, preset), ...given, preset }
  const errors = [
    ...violationsOf(resolved),
    ...(before || bindPassword !== undefined ? [] : [violation('ldapBindPassword', 'is required')]),
    ...(before && bindPassword === undefined && requiresPasswordAgain(before, resolved)
      ? [
          violation(
            'ldapBindPassword',
            'must be entered again if the URL, bind DN, StartTLS setting or CA certificate changes',
          ),
        ]
      : []),
  ]
  const [first] = errors
  if (first) throw rejection('invalid_request', { detail: `${first.path.slice(1)} ${first.message}`, errors })
  return resolved
}

/** If the preset changes, replaces the filters that are defaults of the old preset by those of the new one. */
function followPreset(was: DirectorySettings, preset: DirectorySettings['preset']): Partial<DirectorySettings> {
  if (preset === was.preset) return {}
  const old = PRESETS[was.preset]
  const isDefault = (filter: string, usual: string) => filter === usual || FORMER_FILTERS.includes(filter)
  return {
    ...(isDefault(was.userFilter, old.userFilter) && { userFilter: PRESETS[preset].userFilter }),
    ...(isDefault(was.groupFilter, old.groupFilter) && { groupFilter: PRESETS[preset].groupFilter }),
  }
}

/** Whether the stored password would reach another server or account, or travel over another connection. */
const requiresPasswordAgain = (before: DirectorySettings, after: DirectorySettings): boolean =>
  (['url', 'bindDn', 'startTls', 'caCertificate'] as const).some((field) => before[field] !== after[field])

const violation = (field: string, message: string): FieldError => ({ path: `/${field}`, message })

function* violationsOf(settings: DirectorySettings): Generator<FieldError> {
  const { url, baseDn, bindDn, userFilter, groupFilter, startTls, caCertificate, scheduleMinutes } = settings
  const address = url === '' ? 'is required' : urlError(url)
  if (address) yield violation('ldapUrl', address)
  if (!address && startTls && url.startsWith('ldaps:'))
    yield violation('startTls', 'is only supported with ldap:// URLs')
  if (baseDn === '') yield violation('ldapBaseDn', 'is required')
  else if (!isDn(baseDn)) yield violation('ldapBaseDn', 'must be a distinguished name, such as dc=example,dc=com')
  if (bindDn === '') yield violation('ldapBindDn', 'is required')
  // Active Directory also accepts a user principal name (user@domain) and DOMAIN\user.
  else if (!isDn(bindDn) && !/^[^\s@\\]+(@|\\)[^\s@\\]+$/.test(bindDn))
    yield violation('ldapBindDn', 'must be a distinguished name or an Active Directory logon name')
  const users = filterError(userFilter)
  if (users) yield violation('ldapUserFilter', users)
  const groups = filterError(groupFilter)
  if (groups) yield violation('ldapGroupFilter', groups)
  const authorities = caCertificate === null ? undefined : caCertificateViolation(caCertificate)
  if (authorities) yield violation('caCertificate', authorities)
  if (scheduleMinutes !== 0 && (scheduleMinutes < MIN_MINUTES || scheduleMinutes > MAX_MINUTES))
    yield violation('scheduleMinutes', `must be 0 or between ${MIN_MINUTES} and ${MAX_MINUTES}`)
  yield* mappingViolations(settings.attributeMapping)
}

function* mappingViolations(mapping: Record<string, string>): Generator<FieldError> {
  for (const [attribute, field] of Object.entries(mapping)) {
    if (!/^([a-z][a-z0-9-]*|\d+(\.\d+)+)$/i.test(attribute))
      yield violation('attributeMapping', `contains ${attribute.slice(0, 100)}, which is not an attribute name`)
    if (!isProfileField(field))
      yield violation(
        'attributeMapping',
        `maps to ${field.slice(0, 100)}; allowed fields are ${PROFILE_FIELDS.join(', ')}`,
      )
  }
}

function urlError(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^ldaps?:\/\/[^\s\\]+$/i.test(text) || !url.hostname)
    return 'must be a URL such as ldaps://ldap.example.com'
  if (!/^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i.test(url.hostname))
    return 'must contain a host name of letters, digits, hyphens and dots'
  if (url.port === '0') return 'must not use port 0'
  if (url.username || url.password) return 'must not contain a username or password'
  return /^\/?$/.test(url.pathname) && !url.search && !url.hash
    ? undefined
    : 'must not contain a path, query or fragment'
}
