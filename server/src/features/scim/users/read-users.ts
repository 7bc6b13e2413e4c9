import type { Transaction } from '../../../platform/db/database.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import { parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import {
  ENTERPRISE_USER,
  type ListQuery,
  listResponse,
  type Projection,
  type ScimObject,
  type ScimValue,
  USER,
} from '../../../protocols/scim/index.js'
import { memberError } from '../../members/index.js'
import { type ListDeps, type ScimDeps, serviceUrlOf } from '../model/deps.js'
import { requirePermissions } from '../model/run-as-directory.js'
import { objectOf } from './split-user.js'
import { userColumns } from './user-columns.js'
import { NO_ATTRIBUTES, readUsers, type StoredAttributes, type UserRow, userRepository } from './user-repository.js'

/** @throws forbidden; user_not_found if the ID is malformed, unknown, or belongs to a user who is not in the team */
export async function readUser(
  deps: ScimDeps,
  actor: ScimActor,
  id: string,
  projection: Projection,
): Promise<ScimObject> {
  requirePermissions(actor.permissions, 'read', 'User')
  const known = parseId<UserId>(id)
  const row = known && (await readUsers(deps.db, actor.teamId).find(known))
  if (!row) throw memberError('user_not_found')
  return projection.of(userResource(row, serviceUrlOf(deps, actor)))
}

/** Returns one page of the team's members, shorter than requested if their attributes are very large. @throws forbidden, rate_limited */
export async function listUsers(deps: ListDeps, actor: ScimActor, query: ListQuery) {
  requirePermissions(actor.permissions, 'read', 'User')
  const base = serviceUrlOf(deps, actor)
  const columns = userColumns(base)
  const read = () => readUsers(deps.db, actor.teamId).list(query, columns)
  const { rows, total } = await deps.searches.run(actor, query, columns, read)
  const resources = rows.map((row) => query.projection.of(userResource(row, base)))
  return listResponse({ resources, totalResults: total, startIndex: query.startIndex })
}

/**
 * Returns these members of the team by their IDs. The last ones are missing if the attributes are very large. Runs in the caller's
 * transaction.
 */
export async function readUsersById(
  tx: Transaction,
  { teamId, base }: { teamId: TeamId; base: string },
  ids: readonly string[],
  projection: Projection,
): Promise<[id: string, resource: ScimObject][]> {
  const rows = await userRepository(tx, teamId).withIds(ids, projection.wants('groups'))
  return rows.map((row) => [row.userId, projection.of(userResource(row, base))])
}

/**
 * Returns the SCIM resource of a member.
 * @param base the URL of the team's SCIM service
 */
export function userResource(row: UserRow, base: string): ScimObject {
  const stored = row.stored ?? NO_ATTRIBUTES
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

/** Returns a stored list; undefined if there is none. */
const listOf = (value: ScimValue | undefined): readonly ScimObject[] | undefined =>
  Array.isArray(value) ? (value as readonly ScimObject[]) : undefined

/** Removes attributes without a value. */
function present(fields: Record<string, ScimValue | null | undefined>): ScimObject {
  const there = ([, value]: [string, ScimValue | null | undefined]) => {
    if (value === null || value === undefined || value === '') return false
    return typeof value !== 'object' || Object.keys(value).length > 0
  }
  return Object.fromEntries(Object.entries(fields).filter(there)) as ScimObject
}

/** Returns the stored addresses, in which the account's previous address is replaced by the current one. */
function emailsOf({ email }: UserRow, { address, data }: StoredAttributes): readonly ScimObject[] {
  const written = listOf(data.emails)
  if (!written) return [{ value: email, type: 'work', primary: true }]
  if (address === null || address === email) return written
  return written.map((one) => (String(one.value ?? '').toLowerCase() === address ? { ...one, value: email } : one))
}

/** Returns the stored numbers, in which the membership's previous number is replaced by the current one. */
function phonesOf({ phone }: UserRow, stored: StoredAttributes): readonly ScimObject[] {
  const written = listOf(stored.data.phoneNumbers)
  if (!written) return phone === null ? [] : [{ value: phone, type: 'work' }]
  if (stored.phone === phone || stored.phone === null) return written
  const isOld = (one: ScimObject) => one.value === stored.phone
  if (phone === null) return written.filter((one) => !isOld(one))
  return written.map((one) => (isOld(one) ? { ...one, value: phone } : one))
}
