import { isDeepStrictEqual } from 'node:util'
import type { ScimObject, ScimValue } from '../../protocols/scim/index.js'
import { limitStoredAttributes } from './limit-stored-attributes.js'
import { mainPhone, type NamedAccount, valuesOf } from './split-user.js'
import type { StoredAttributes } from './user-repository.js'

/** What is kept of a new member, or of one of whom more is said. @throws {ScimFault} tooMany */
export const newStoredAttributes = (
  said: ScimObject,
  account: NamedAccount,
  before?: StoredAttributes | null,
): StoredAttributes => limitStoredAttributes(joined(said, account, before), before)

function joined(
  said: ScimObject,
  { email, userName }: NamedAccount,
  before?: StoredAttributes | null,
): StoredAttributes {
  const emails = isPlain(said.emails, email) ? undefined : said.emails
  const { emails: _, ...others } = said
  const stored = before?.data ?? {}
  const data: Record<string, ScimValue> = { ...stored, ...others }
  for (const name of ['name', ...Object.keys(said).filter((key) => key.startsWith('urn:'))])
    if (said[name] !== undefined) data[name] = { ...objectIn(stored, name), ...objectIn(said, name) }
  if (emails) data.emails = emails
  else if (said.emails) delete data.emails
  return {
    userName,
    address: said.emails ? (emails ? email : null) : (before?.address ?? null),
    phone: said.phoneNumbers ? (mainPhone(said.phoneNumbers) ?? null) : (before?.phone ?? null),
    data,
  }
}

/**
 * What is kept of a member of whom everything is said; what was shown and is unchanged stays as it was written.
 * @throws {ScimFault} tooMany
 */
export function storedAttributesAfter(
  { before, after, stored }: { before: ScimObject; after: ScimObject; stored: StoredAttributes | null },
  account: NamedAccount,
): StoredAttributes {
  const { emails, phoneNumbers, ...data } = after
  const kept: StoredAttributes = { ...joined(data, account), address: null, phone: null }
  const lists: Record<string, ScimValue> = {}
  if (isDeepStrictEqual(emails, before.emails)) {
    if (stored?.data.emails) lists.emails = stored.data.emails
    kept.address = stored?.address ?? null
  } else if (emails && !isPlain(emails, account.email)) {
    lists.emails = emails
    kept.address = account.email
  }
  if (isDeepStrictEqual(phoneNumbers, before.phoneNumbers)) {
    if (stored?.data.phoneNumbers) lists.phoneNumbers = stored.data.phoneNumbers
    kept.phone = stored?.phone ?? null
  } else if (phoneNumbers) {
    lists.phoneNumbers = phoneNumbers
    kept.phone = mainPhone(phoneNumbers) ?? null
  }
  return limitStoredAttributes({ ...kept, data: { ...kept.data, ...lists } }, stored)
}

const objectIn = (of: ScimObject, name: string): ScimObject => {
  const value = of[name]
  return typeof value === 'object' && !Array.isArray(value) ? (value as ScimObject) : {}
}

/** What is shown anyway of whoever has one address needs not be kept. */
const isPlain = (emails: ScimValue | undefined, email: string): boolean =>
  isDeepStrictEqual(valuesOf(emails), [{ value: email, type: 'work', primary: true }])

const NOTHING: StoredAttributes = { userName: null, address: null, phone: null, data: {} }

/** The attributes in which two differ, for the audit log. */
export function changedParts(before: StoredAttributes | null, after: StoredAttributes): string[] {
  const was = before ?? NOTHING
  const names = new Set([...Object.keys(was.data), ...Object.keys(after.data)])
  const changed = [...names].filter((name) => !isDeepStrictEqual(was.data[name], after.data[name]))
  return [...(was.userName === after.userName ? [] : ['userName']), ...changed].sort()
}
