import { isDeepStrictEqual } from 'node:util'
import { invalidRequest, type ScimObject, type ScimValue } from '../../../protocols/scim/index.js'
import { mainPhone, type NamedAccount, objectOf, valuesOf } from './split-user.js'
import { NO_ATTRIBUTES, type StoredAttributes } from './user-repository.js'

/** Returns the attributes to store for a new member, or merged into those of an existing one. @throws {ScimError} tooMany */
export const newStoredAttributes = (
  sent: ScimObject,
  account: NamedAccount,
  before?: StoredAttributes | null,
): StoredAttributes => limitStoredAttributes(joined(sent, account, before), before)

function joined(
  sent: ScimObject,
  { email, userName }: NamedAccount,
  before?: StoredAttributes | null,
): StoredAttributes {
  const emails = isPlain(sent.emails, email) ? undefined : sent.emails
  const { emails: _, ...others } = sent
  const stored = before?.data ?? {}
  const data: Record<string, ScimValue> = { ...stored, ...others }
  for (const name of ['name', ...Object.keys(sent).filter((key) => key.startsWith('urn:'))])
    if (sent[name] !== undefined) data[name] = { ...objectOf(stored[name]), ...objectOf(sent[name]) }
  if (emails) data.emails = emails
  else if (sent.emails) delete data.emails
  return {
    userName,
    address: sent.emails ? (emails ? email : null) : (before?.address ?? null),
    phone: sent.phoneNumbers ? (mainPhone(sent.phoneNumbers) ?? null) : (before?.phone ?? null),
    data,
  }
}

/**
 * Returns the attributes to store after a complete replacement. Lists that are unchanged as shown remain as they were sent.
 * @throws {ScimError} tooMany
 */
export function storedAttributesAfter(
  { before, after, stored }: { before: ScimObject; after: ScimObject; stored: StoredAttributes | null },
  account: NamedAccount,
): StoredAttributes {
  const { emails, phoneNumbers, ...data } = after
  const result: StoredAttributes = { ...joined(data, account), address: null, phone: null }
  const lists: Record<string, ScimValue> = {}
  if (isDeepStrictEqual(emails, before.emails)) {
    if (stored?.data.emails) lists.emails = stored.data.emails
    result.address = stored?.address ?? null
  } else if (emails && !isPlain(emails, account.email)) {
    lists.emails = emails
    result.address = account.email
  }
  if (isDeepStrictEqual(phoneNumbers, before.phoneNumbers)) {
    if (stored?.data.phoneNumbers) lists.phoneNumbers = stored.data.phoneNumbers
    result.phone = stored?.phone ?? null
  } else if (phoneNumbers) {
    lists.phoneNumbers = phoneNumbers
    result.phone = mainPhone(phoneNumbers) ?? null
  }
  return limitStoredAttributes({ ...result, data: { ...result.data, ...lists } }, stored)
}

/** The maximum size of the attributes of one user without a column, as JSON, in bytes: many times what clients send. */
const MAX_STORED_BYTES = 65_536

const sizeOf = (stored: StoredAttributes | null | undefined): number =>
  stored ? Buffer.byteLength(JSON.stringify(stored.data)) : 0

/**
 * Limits the stored attributes of one user. Larger existing values remain, and may be changed unless they grow.
 * @throws {ScimError} tooMany
 */
function limitStoredAttributes(
  stored: StoredAttributes,
  before: StoredAttributes | null | undefined,
): StoredAttributes {
  const size = sizeOf(stored)
  if (size > MAX_STORED_BYTES && size > sizeOf(before))
    throw invalidRequest(
      'tooMany',
      `At most ${MAX_STORED_BYTES} bytes of one user can be stored; the request would result in ${size}.`,
    )
  return stored
}

/** Whether the list only contains the account's address, which is shown anyway and need not be stored. */
const isPlain = (emails: ScimValue | undefined, email: string): boolean =>
  isDeepStrictEqual(valuesOf(emails), [{ value: email, type: 'work', primary: true }])

/** Returns the names of the changed attributes, for the audit log. */
export function changedParts(before: StoredAttributes | null, after: StoredAttributes): string[] {
  const was = before ?? NO_ATTRIBUTES
  const names = new Set([...Object.keys(was.data), ...Object.keys(after.data)])
  const changed = [...names].filter((name) => !isDeepStrictEqual(was.data[name], after.data[name]))
  return [...(was.userName === after.userName ? [] : ['userName']), ...changed].sort()
}
