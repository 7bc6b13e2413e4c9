import type { Clock } from '../../platform/clock.js'
import { hashParts } from '../../platform/crypto/token-hash.js'
import { type LdapEntry, normalizeDn } from '../../protocols/ldap/index.js'
import { profileFault } from '../members/index.js'
import { normalizeEmail } from '../users/index.js'
import { markOf } from './change-mark.js'
import type { Directory } from './directory.js'
import {
  BINARY_ATTRIBUTES,
  KEY_ATTRIBUTES,
  MARK_ATTRIBUTES,
  MEMBER_ATTRIBUTES,
  type ProfileField,
  STATE_ATTRIBUTES,
  UID_ATTRIBUTE,
  USUAL_ATTRIBUTES,
} from './presets.js'
import type { RunFailure } from './tables.js'

/** By what an entry is found again, and what others call it. */
export interface EntryNames {
  /** SHA-256 of the identifier that the server never changes. */
  key: Buffer
  dn: string
  dnHash: Buffer
  /** By which it is told whether it has changed; null where nothing tells. */
  mark: string | null
}

const TEXTS = ['firstName', 'lastName', 'department', 'title', 'phone', 'locale', 'externalId'] as const
export type Texts = Partial<Record<(typeof TEXTS)[number], string>>

/** A person as the directory describes them. */
export interface MappedUser extends EntryNames {
  uidHash: Buffer | null
  /** Normalized. */
  email: string
  texts: Texts
  active: boolean
  /** SHA-256 of everything that is taken over. */
  contentHash: Buffer
}

export interface MappedGroup extends EntryNames {
  name: string
  description: string | null
  /** What its members are called: `dnHash` or `uidHash` of each, in order, no one twice. */
  members: Buffer[]
  contentHash: Buffer
}

/** An entry that cannot be taken over, and why; it is there all the same. */
export type Unusable = EntryNames & { failure: RunFailure }

/** By what an entry is found again, and told to be as it was. */
export const NAMING_ATTRIBUTES = ['objectClass', ...KEY_ATTRIBUTES, ...Object.values(MARK_ATTRIBUTES)]

export const userAttributes = ({ attributeMapping }: Pick<Directory, 'attributeMapping'>): string[] => [
  ...new Set([
    ...NAMING_ATTRIBUTES,
    ...STATE_ATTRIBUTES,
    UID_ATTRIBUTE,
    ...Object.keys(attributeMapping),
    ...Object.values(USUAL_ATTRIBUTES).flat(),
  ]),
]
export const GROUP_ATTRIBUTES = [...NAMING_ATTRIBUTES, ...MEMBER_ATTRIBUTES, 'cn', 'displayName', 'description']
export const BINARY = BINARY_ATTRIBUTES

export const hashDn = (dn: string): Buffer => hashParts('dn', normalizeDn(dn) ?? dn.trim().toLowerCase())
const hashUid = (uid: string): Buffer => hashParts('uid', uid.trim().toLowerCase())

/** Without an identifier of the server an entry is known by its name, and is another one when that changes. */
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
  mark: markOf(entry, clock),
})

/** A server that names one entry twice in a page means one. */
export const once = <T extends { key: Buffer }>(mapped: T[]): T[] => [
  ...new Map(mapped.map((one) => [one.key.toString('hex'), one])).values(),
]

/** An account of a machine, which Active Directory has among its users. */
export const isMachine = (entry: LdapEntry): boolean =>
  entry.texts('objectClass').some((name) => name.toLowerCase() === 'computer')

const unusable = (names: EntryNames, email: string | null, code: string, message: string): Unusable => ({
  ...names,
  failure: { dn: names.dn, email, code, message },
})

/** Longer than anything that is taken over; what is longer is not looked at, for it may have millions of characters. */
const LONGEST_VALUE = 1_000
const LONGEST_DN = 8_000

/** Whether it can be written down: no byte of it is lost, and no database refuses it. */
const isWritable = (text: string): boolean => !/[\0\uFFFD]/.test(text) && text.isWellFormed()

/** An entry whose name cannot be kept: it could not be found again, and nobody would be let in by it. */
const misnamed = (names: EntryNames): Unusable | undefined =>
  names.dn.length > LONGEST_DN || !isWritable(names.dn)
    ? unusable(names, null, 'invalid_name', `The name of the entry is longer than ${LONGEST_DN}, or no text`)
    : undefined

/**
 * The person of an entry; undefined for an account of a machine, which is no person. The mapping of the team comes before the usual
 * attributes. A value that does not fit its field is passed over.
 */
export function mapUser(
  entry: LdapEntry,
  { attributeMapping }: Pick<Directory, 'attributeMapping'>,
  clock: Clock,
): MappedUser | Unusable | undefined {
  if (isMachine(entry)) return undefined
  const names = namesOf(entry, clock)
  const unnamed = misnamed(names)
  if (unnamed) return unnamed
  const candidates = (field: ProfileField): string[] => {
    const mapped = Object.keys(attributeMapping).filter((attribute) => attributeMapping[attribute] === field)
    return [...mapped, ...USUAL_ATTRIBUTES[field]].flatMap((attribute) => entry.texts(attribute))
  }
  const [address] = candidates('email')
  if (address === undefined) return unusable(names, null, 'no_address', 'The entry has no e-mail address')
  const email = candidates('email').flatMap((text) => readEmail(text) ?? [])[0]
  if (email === undefined) return unusable(names, address, 'invalid_address', 'That is not an e-mail address')
  const texts: Texts = {}
  for (const field of TEXTS) {
    const [first] = candidates(field)
    // Some write the underscore of POSIX in a language tag.
    const text = field === 'locale' ? first?.replaceAll('_', '-') : first
    if (text === undefined || text.length > LONGEST_VALUE || profileFault(field, text)) continue
    texts[field] = field === 'locale' ? new Intl.Locale(text).toString() : text
  }
  // A name in one piece cannot be taken apart rightly: it stands whole where there is no other.
  const [name] = candidates('displayName')
  const isName = name !== undefined && name.length <= LONGEST_VALUE && !profileFault('firstName', name)
  if (isName && !texts.firstName && !texts.lastName) texts.firstName = name
  const active = isActive(entry)
  const [uid] = entry.texts(UID_ATTRIBUTE)
  const uidHash = uid === undefined ? null : hashUid(uid)
  const contentHash = hashParts('user', entry.dn, uid ?? '', email, String(active), JSON.stringify(texts))
  return { ...names, uidHash, email, texts, active, contentHash }
}

/** ACCOUNTDISABLE of Active Directory (MS-ADTS 2.2.16), and what 389 Directory Server and eDirectory have in its place. */
const ACCOUNT_DISABLED = 0x2

function isActive(entry: LdapEntry): boolean {
  const [control] = entry.texts('userAccountControl')
  if (control !== undefined && (Number(control) & ACCOUNT_DISABLED) !== 0) return false
  return !['nsAccountLock', 'loginDisabled'].some((name) => entry.texts(name)[0]?.toLowerCase() === 'true')
}

function readEmail(text: string): string | undefined {
  if (text.length > LONGEST_VALUE) return undefined
  try {
    return normalizeEmail(text)
  } catch {
    return undefined
  }
}

const LONGEST_NAME = 100
const LONGEST_DESCRIPTION = 500
const MOST_MEMBERS = 100_000

/** @param further members that stood not in the entry itself: Active Directory gives out 1,500 at a time */
export function mapGroup(entry: LdapEntry, further: string[], clock: Clock): MappedGroup | Unusable {
  const names = namesOf(entry, clock)
  const unnamed = misnamed(names)
  if (unnamed) return unnamed
  const name = entry.texts('cn')[0] ?? entry.texts('displayName')[0]
  if (
    name === undefined ||
    name.length > LONGEST_VALUE ||
    [...name].length > LONGEST_NAME ||
    /[\p{C}\p{Zl}\p{Zp}]/u.test(name)
  )
    return unusable(
      names,
      null,
      'invalid_name',
      `A group needs a name of at most ${LONGEST_NAME} characters in one line`,
    )
  const text = firstLetters(entry.texts('description')[0] ?? '', LONGEST_DESCRIPTION)
  // As a field of a profile: what cannot be written is passed over.
  const description = text === '' || !isWritable(text) ? null : text
  const dns = [...['member', 'uniqueMember'].flatMap((attribute) => entry.texts(attribute)), ...further]
  const uids = entry.texts('memberUid')
  if (dns.length + uids.length > MOST_MEMBERS)
    return unusable(names, null, 'too_many_members', `A group may have at most ${MOST_MEMBERS} members`)
  const members = inOrder([...dns.map(hashDn), ...uids.map(hashUid)])
  const contentHash = hashParts('group', entry.dn, name, description ?? '', ...members)
  return { ...names, name, description, members, contentHash }
}

/** A letter has one or two units of a string. */
const firstLetters = (text: string, count: number): string => [...text.slice(0, 2 * count)].slice(0, count).join('')

function inOrder(hashes: Buffer[]): Buffer[] {
  const sorted = hashes.toSorted(Buffer.compare)
  return sorted.filter((hash, index) => !sorted[index - 1]?.equals(hash))
}

/** Where the members of a group go on that came in part (`member;range=0-1499`, MS-ADTS 3.1.1.3.1.3.3); undefined when they are whole. */
export function nextRange(entry: LdapEntry): { values: string[]; next: number | undefined } | undefined {
  for (const attribute of entry.attributes()) {
    const [, last] = /^member;range=\d+-(\d+|\*)$/i.exec(attribute) ?? []
    if (last !== undefined) return { values: entry.texts(attribute), next: last === '*' ? undefined : Number(last) + 1 }
  }
  return undefined
}
