import { ENTERPRISE_USER, type ScimObject, type ScimValue, USER } from '../../protocols/scim/index.js'
import type { StoredAttributes, UserRow } from './user-repository.js'

const NOTHING: StoredAttributes = { userName: null, address: null, phone: null, data: {} }

/** Of a list that is kept, or of none. */
const listOf = (value: ScimValue | undefined): readonly ScimObject[] | undefined =>
  Array.isArray(value) ? (value as readonly ScimObject[]) : undefined

const objectOf = (value: ScimValue | undefined): ScimObject =>
  typeof value === 'object' && !Array.isArray(value) ? (value as ScimObject) : {}

/** Without what has no value. */
function present(fields: Record<string, ScimValue | null | undefined>): ScimObject {
  const there = ([, value]: [string, ScimValue | null | undefined]) => {
    if (value === null || value === undefined || value === '') return false
    return typeof value !== 'object' || Object.keys(value).length > 0
  }
  return Object.fromEntries(Object.entries(fields).filter(there)) as ScimObject
}

/** The addresses as they were written, in which that of the account has followed the account. */
function emailsOf({ email }: UserRow, { address, data }: StoredAttributes): readonly ScimObject[] {
  const written = listOf(data.emails)
  if (!written) return [{ value: email, type: 'work', primary: true }]
  if (address === null || address === email) return written
  return written.map((one) => (String(one.value ?? '').toLowerCase() === address ? { ...one, value: email } : one))
}

/** The numbers as they were written, in which that of the membership has followed the membership. */
function phonesOf({ phone }: UserRow, stored: StoredAttributes): readonly ScimObject[] {
  const written = listOf(stored.data.phoneNumbers)
  if (!written) return phone === null ? [] : [{ value: phone, type: 'work' }]
  if (stored.phone === phone || stored.phone === null) return written
  const isOld = (one: ScimObject) => one.value === stored.phone
  if (phone === null) return written.filter((one) => !isOld(one))
  return written.map((one) => (isOld(one) ? { ...one, value: phone } : one))
}

/**
 * A member of the team as a User of SCIM.
 * @param base the address of the team's SCIM service
 */
export function userResource(row: UserRow, base: string): ScimObject {
  const stored = row.stored ?? NOTHING
  const enterprise = present({ ...objectOf(stored.data[ENTERPRISE_USER]), department: row.department })
  return present({
    schemas: Object.keys(enterprise).length > 0 ? [USER, ENTERPRISE_USER] : [USER],
    id: row.userId,
    externalId: row.externalId,
    ...stored.data,
    userName: stored.userName ?? row.email,
    name: present({ ...objectOf(stored.data.name), givenName: row.firstName, familyName: row.lastName }),
    title: row.title,
    locale: row.locale,
    active: row.active,
    emails: emailsOf(row, stored),
    phoneNumbers: phonesOf(row, stored),
    groups: row.groups.map(({ id, name }) => ({
      value: id,
      $ref: `${base}/Groups/${id}`,
      display: name,
      type: 'direct',
    })),
    [ENTERPRISE_USER]: enterprise,
    meta: {
      resourceType: 'User',
      created: row.createdAt.toISOString(),
      lastModified: row.updatedAt.toISOString(),
      location: `${base}/Users/${row.userId}`,
    },
  })
}
