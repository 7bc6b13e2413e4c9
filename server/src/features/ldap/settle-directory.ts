import { X509Certificate } from 'node:crypto'
import type { FieldError } from '../../platform/app-error.js'
import { peerKeyFault } from '../../platform/crypto/peer-key.js'
import { rejection } from '../../platform/errors.js'
import { filterFault, isDn } from '../../protocols/ldap/index.js'
import type { DirectorySettings } from './directory.js'
import { isProfileField, PRESETS, PROFILE_FIELDS } from './presets.js'

/** As it comes in: the password in the clear. */
export type WantedDirectory = Partial<DirectorySettings> & { bindPassword?: string }

/** What must be there in the end, and what it is before anything is said. */
const BLANK = { url: '', baseDn: '', bindDn: '' }
const MOST_MINUTES = 10_080
const LEAST_MINUTES = 5
const NO_CERTIFICATES = 'must be X.509 certificates in PEM, and no private key'

/**
 * The settings as `wanted` leaves them. What results must be whole.
 * @param before undefined for the first time
 * @throws invalid_request naming every field that is wrong
 */
export function settleDirectory(before: DirectorySettings | undefined, wanted: WantedDirectory): DirectorySettings {
  const { bindPassword, ...given } = wanted
  const preset = given.preset ?? before?.preset ?? 'active-directory'
  const was: DirectorySettings = before ?? {
    ...BLANK,
    enabled: true,
    preset,
    startTls: false,
    caCertificate: null,
    ...PRESETS[preset],
    attributeMapping: {},
    scheduleMinutes: 0,
    signInEnabled: false,
  }
  const settled: DirectorySettings = { ...was, ...followPreset(was, preset), ...given, preset }
  const errors = [
    ...faultsOf(settled),
    ...(before || bindPassword !== undefined ? [] : [fault('ldapBindPassword', 'is required')]),
    ...(before && bindPassword === undefined && meetsAnother(before, settled)
      ? [
          fault(
            'ldapBindPassword',
            'must be given again with another address, bind DN, StartTLS or certificate: the one that is stored is for the directory it was given for',
          ),
        ]
      : []),
  ]
  const [first] = errors
  if (first) throw rejection('invalid_request', { detail: `${first.path.slice(1)} ${first.message}`, errors })
  return settled
}

/** With another preset the filters that were those of the old one are those of the new one. */
function followPreset(was: DirectorySettings, preset: DirectorySettings['preset']): Partial<DirectorySettings> {
  const old = PRESETS[was.preset]
  return {
    ...(was.userFilter === old.userFilter && { userFilter: PRESETS[preset].userFilter }),
    ...(was.groupFilter === old.groupFilter && { groupFilter: PRESETS[preset].groupFilter }),
  }
}

/** Whether the password would come to somebody else, or by a way that others can see. */
const meetsAnother = (before: DirectorySettings, after: DirectorySettings): boolean =>
  (['url', 'bindDn', 'startTls', 'caCertificate'] as const).some((field) => before[field] !== after[field])

const fault = (field: string, message: string): FieldError => ({ path: `/${field}`, message })

function* faultsOf(settings: DirectorySettings): Generator<FieldError> {
  const { url, baseDn, bindDn, userFilter, groupFilter, startTls, caCertificate, scheduleMinutes } = settings
  const address = url === '' ? 'is required' : urlFault(url)
  if (address) yield fault('ldapUrl', address)
  if (!address && startTls && url.startsWith('ldaps:')) yield fault('startTls', 'is for ldap:// addresses alone')
  if (baseDn === '') yield fault('ldapBaseDn', 'is required')
  else if (!isDn(baseDn)) yield fault('ldapBaseDn', 'must be a distinguished name, such as dc=example,dc=com')
  if (bindDn === '') yield fault('ldapBindDn', 'is required')
  // Active Directory takes names in the form of an address, and with its domain, as well.
  else if (!isDn(bindDn) && !/^[^\s@\\]+(@|\\)[^\s@\\]+$/.test(bindDn))
    yield fault('ldapBindDn', 'must be a distinguished name, or a login name of Active Directory')
  const users = filterFault(userFilter)
  if (users) yield fault('ldapUserFilter', users)
  const groups = filterFault(groupFilter)
  if (groups) yield fault('ldapGroupFilter', groups)
  const authorities = caCertificate === null ? undefined : certificatesFault(caCertificate)
  if (authorities) yield fault('caCertificate', authorities)
  if (scheduleMinutes !== 0 && (scheduleMinutes < LEAST_MINUTES || scheduleMinutes > MOST_MINUTES))
    yield fault('scheduleMinutes', `must be 0, or ${LEAST_MINUTES} to ${MOST_MINUTES}`)
  yield* mappingFaults(settings.attributeMapping)
}

function* mappingFaults(mapping: Record<string, string>): Generator<FieldError> {
  for (const [attribute, field] of Object.entries(mapping)) {
    if (!/^([a-z][a-z0-9-]*|\d+(\.\d+)+)$/i.test(attribute))
      yield fault('attributeMapping', `has ${attribute.slice(0, 100)}, which is no name of an attribute`)
    if (!isProfileField(field))
      yield fault('attributeMapping', `maps to ${field.slice(0, 100)}; the fields are ${PROFILE_FIELDS.join(', ')}`)
  }
}

function urlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^ldaps?:\/\/[^\s\\]+$/i.test(text) || !url.hostname)
    return 'must be an address such as ldaps://ldap.example.com'
  if (!/^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i.test(url.hostname)) return 'must name a host by letters, digits and dots'
  if (url.port === '0') return 'must not have the port 0'
  if (url.username || url.password) return 'must not hold a user name or a password'
  return /^\/?$/.test(url.pathname) && !url.search && !url.hash ? undefined : 'must end after the host and the port'
}

function certificatesFault(pem: string): string | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? []
  try {
    if (blocks.length === 0 || /PRIVATE KEY/.test(pem)) return NO_CERTIFICATES
    // TLS decides on other kinds of keys. It verifies by every RSA key of at most 16,384 bits, with any exponent below 3,072 bits.
    const [faulty] = blocks
      .map((block) => new X509Certificate(block).publicKey)
      .flatMap((key) => (key.asymmetricKeyType === 'rsa' ? (peerKeyFault(key) ?? []) : []))
    return faulty && `must be of accepted keys: one ${faulty}`
  } catch {
    return NO_CERTIFICATES
  }
}
