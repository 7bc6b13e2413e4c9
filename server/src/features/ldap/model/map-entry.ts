import type { Clock } from '../../../platform/clock.js'
import { hashParts } from '../../../platform/crypto/token-hash.js'
import { type LdapEntry, normalizeDn } from '../../../protocols/ldap/index.js'
import { profileViolation } from '../../members/index.js'
import { isDisplayName } from '../../settings/index.js'
import { normalizeEmail } from '../../users/index.js'
import type { RunFailure } from '../tables.js'
import { changeMarkerOf } from './change-marker.js'
import type { Directory } from './directory.js'
import {
  BINARY_ATTRIBUTES,
  CHANGE_MARKER_ATTRIBUTES,
  DEFAULT_ATTRIBUTES,
  KEY_ATTRIBUTES,
  MEMBER_ATTRIBUTES,
  type ProfileField,
  STATE_ATTRIBUTES,
  UID_ATTRIBUTE,
} from './ldap-attributes.js'

/** The identifiers of an entry. */
export interface EntryNames {
  /** SHA-256 of the immutable identifier. */
  key: Buffer
  dn: string
  dnHash: Buffer
  /** The change marker; null if the server provides none. */
  changeMarker: string | null
}

/** The profile fields that are stored with the membership. */
const PROFILE_VALUES = ['firstName', 'lastName', 'department', 'title', 'phone', 'locale', 'externalId'] as const
export type ProfileValues = Partial<Record<(typeof PROFILE_VALUES)[number], string>>

/** A user as described by the directory. */
export interface MappedUser extends EntryNames {
  uidHash: Buffer | null
  /** Normalized. */
  email: string
  profile: ProfileValues
  active: boolean
  /** SHA-256 of all imported values. */
  contentHash: Buffer
}

export interface MappedGroup extends EntryNames {
  name: string
  description: string | null
  /** The names of its members: `dnHash` or `uidHash` of each, sorted and unique. */
  members: Buffer[]
  contentHash: Buffer
}

/** An entry that cannot be imported, with the reason. */
export type Unusable = EntryNames & { failure: RunFailure }

/** The attributes that identify an entry and show whether it has changed. */
export const NAMING_ATTRIBUTES = ['objectClass', ...KEY_ATTRIBUTES, ...Object.values(CHANGE_MARKER_ATTRIBUTES)]

export const userAttributes = ({ attributeMapping }: Pick<Directory, 'attributeMapping'>): string[] => [
  ...new Set([
    ...NAMING_ATTRIBUTES,
    ...STATE_ATTRIBUTES,
    UID_ATTRIBUTE,
    ...Object.keys(attributeMapping),
    ...Object.values(DEFAULT_ATTRIBUTES).flat(),
  ]),
]
export const GROUP_ATTRIBUTES = [...NAMING_ATTRIBUTES, ...MEMBER_ATTRIBUTES, 'cn', 'displayName', 'description']
export const BINARY = BINARY_ATTRIBUTES

export const hashDn = (dn: string): Buffer => hashParts('dn', normalizeDn(dn) ?? dn.trim().toLowerCase())
const hashUid = (uid: string): Buffer => hashParts('uid', uid.trim().toLowerCase())

/** Returns the key of an entry. Without an immutable identifier the DN is the key, so a renamed entry is a new one. */
export function keyOf(entry: LdapEntry): Buffer {
  for (const attribute of KEY_ATTRIBUTES) {
    const [value] = entry.values(attribute)
    if (value !== undefined && value.length > 0) return hashParts(attribute.toLowerCase(), value)
  }
  return hashDn(entry.dn)
}

export const namesOf = (entry: LdapEntry, clock: Clock): EntryNames => ({
  key: keyOf(entry),
  dn: entry.dn,
  dnHash: hashDn(entry.dn),
  changeMarker: changeMarkerOf(entry, clock),
})

/** Removes duplicates: a server may return an entry twice in one page. */
export const uniqueByKey = <T extends { key: Buffer }>(mapped: T[]): T[] => [
  ...new Map(mapped.map((one) => [one.key.toString('hex'), one])).values(),
]

/** Whether the entry is a computer account, which Active Directory lists among the users. */
export const isComputerAccount = (entry: LdapEntry): boolean =>
  entry.strings('objectClass').some((name) => name.toLowerCase() === 'computer')

const unusable = (names: EntryNames, code: string, message: string, email: string | null = null): Unusable => ({
  ...names,
  failure: { dn: names.dn, email, code, message },
})

/** Longer values are ignored without parsing: they may have millions of characters. */
const MAX_VALUE_LENGTH = 1_000
const MAX_DN_LENGTH = 8_000

/** Whether the string can be stored unchanged: it is well-formed, without U+0000 or replacement characters. */
const isStorable = (text: string): boolean => !/[\0\uFFFD]/.test(text) && text.isWellFormed()

/** Returns a failure for an entry whose DN cannot be stored, and so could be neither found again nor used for sign-in. */
const invalidDn = (names: EntryNames): Unusable | undefined =>
  names.dn.length > MAX_DN_LENGTH || !isStorable(names.dn)
    ? unusable(
        names,
        'invalid_name',
        `The DN is longer than ${MAX_DN_LENGTH} characters or contains invalid characters`,
      )
    : undefined

/**
 * Maps an entry to a user; undefined for computer accounts. The team's mapping takes precedence over the default attributes. A value that
 * is invalid for its field is ignored.
 */
export function mapUser(
  entry: LdapEntry,
  { attributeMapping }: Pick<Directory, 'attributeMapping'>,
  clock: Clock,
): MappedUser | Unusable | undefined {
  if (isComputerAccount(entry)) return undefined
  const names = namesOf(entry, clock)
  const invalidName = invalidDn(names)
  if (invalidName) return invalidName
  const candidates = (field: ProfileField): string[] => {
    const mapped = Object.keys(attributeMapping).filter((attribute) => attributeMapping[attribute] === field)
    return [...mapped, ...DEFAULT_ATTRIBUTES[field]].flatMap((attribute) => entry.strings(attribute))
  }
  const [address] = candidates('email')
  if (address === undefined) return unusable(names, 'no_address', 'The entry has no email address')
  const email = candidates('email').flatMap((text) => readEmail(text) ?? [])[0]
  if (email === undefined) return unusable(names, 'invalid_address', 'The email address is invalid', address)
  const profile: ProfileValues = {}
  for (const field of PROFILE_VALUES) {
    const [first] = candidates(field)
    // Some directories write language tags with the underscore of POSIX locales.
    const text = field === 'locale' ? first?.replaceAll('_', '-') : first
    if (text === undefined || text.length > MAX_VALUE_LENGTH || profileViolation(field, text)) continue
    profile[field] = field === 'locale' ? new Intl.Locale(text).toString() : text
  }
  // A full name cannot be split reliably, so it becomes the first name if there is no other.
  const [name] = candidates('displayName')
  const isName = name !== undefined && name.length <= MAX_VALUE_LENGTH && !profileViolation('firstName', name)
  if (isName && !profile.firstName && !profile.lastName) profile.firstName = name
  const active = isActive(entry)
  const [uid] = entry.strings(UID_ATTRIBUTE)
  const uidHash = uid === undefined ? null : hashUid(uid)
  const contentHash = hashParts('user', entry.dn, uid ?? '', email, String(active), JSON.stringify(profile))
  return { ...names, uidHash, email, profile, active, contentHash }
}

/** ACCOUNTDISABLE of Active Directory (MS-ADTS section 2.2.16); 389 Directory Server and eDirectory use the attributes below. */
const ACCOUNT_DISABLED = 0x2

/** Returns whether the directory allows the account to be used. */
export function isActive(entry: LdapEntry): boolean {
  const [control] = entry.strings('userAccountControl')
  if (control !== undefined && (Number(control) & ACCOUNT_DISABLED) !== 0) return false
  return !['nsAccountLock', 'loginDisabled'].some((name) => entry.strings(name)[0]?.toLowerCase() === 'true')
}

function readEmail(text: string): string | undefined {
  if (text.length > MAX_VALUE_LENGTH) return undefined
  try {
    return normalizeEmail(text)
  } catch {
    return undefined
  }
}

const MAX_DESCRIPTION_LENGTH = 500
const MAX_GROUP_MEMBERS = 100_000

/** Maps an entry to a group. @param further members that are not in the entry itself: Active Directory returns at most 1,500 at a time */
export function mapGroup(entry: LdapEntry, further: string[], clock: Clock): MappedGroup | Unusable {
  const names = namesOf(entry, clock)
  const invalidName = invalidDn(names)
  if (invalidName) return invalidName
  const name = entry.strings('cn')[0] ?? entry.strings('displayName')[0]
  if (name === undefined || name.length > MAX_VALUE_LENGTH || !isDisplayName(name))
    return unusable(names, 'invalid_name', 'A group must have a single-line name of at most 100 characters')
  const text = firstCharacters(entry.strings('description')[0] ?? '', MAX_DESCRIPTION_LENGTH)
  // Like a profile field: a description that cannot be stored is ignored.
  const description = text === '' || !isStorable(text) ? null : text
  const dns = [...['member', 'uniqueMember'].flatMap((attribute) => entry.strings(attribute)), ...further]
  const uids = entry.strings('memberUid')
  if (dns.length + uids.length > MAX_GROUP_MEMBERS)
    return unusable(names, 'too_many_members', `A group may have at most ${MAX_GROUP_MEMBERS} members`)
  const members = sortedUnique([...dns.map(hashDn), ...uids.map(hashUid)])
  const contentHash = hashParts('group', entry.dn, name, description ?? '', ...members)
  return { ...names, name, description, members, contentHash }
}

/** Returns the first `count` characters. A character has one or two UTF-16 code units. */
const firstCharacters = (text: string, count: number): string => [...text.slice(0, 2 * count)].slice(0, count).join('')

function sortedUnique(hashes: Buffer[]): Buffer[] {
  const sorted = hashes.toSorted(Buffer.compare)
  return sorted.filter((hash, index) => !sorted[index - 1]?.equals(hash))
}

/**
 * Returns a partial range of a group's members (`member;range=0-1499`, MS-ADTS 3.1.1.3.1.3.3) and where the next begins; undefined if the
 * list is complete.
 */
export function nextRange(entry: LdapEntry): { values: string[]; next: number | undefined } | undefined {
  for (const attribute of entry.attributes()) {
    const [, last] = /^member;range=\d+-(\d+|\*)$/i.exec(attribute) ?? []
    if (last !== undefined)
      return { values: entry.strings(attribute), next: last === '*' ? undefined : Number(last) + 1 }
  }
  return undefined
}
