import { type SQL, sql } from 'drizzle-orm'
import { parseId, type UserId } from '../../../platform/ids.js'
import { type Comparison, ENTERPRISE_USER, type Target, USER } from '../../../protocols/scim/index.js'
import { groupMembers, groups } from '../../groups/index.js'
import { memberships } from '../../members/index.js'
import { shownField } from '../../user-management/index.js'
import { users } from '../../users/index.js'
import { type Columns, lowerCase, prefixPattern } from '../model/compile-filter.js'
import { INDEXED_NAME, scimUsers } from '../tables.js'
import { addressOf } from './split-user.js'

/** The columns of a member as SCIM clients see them, from `memberships m`, `users u` and `scim_users s`. */
export const MEMBER_COLUMNS = {
  firstName: sql.raw(shownField('first_name')),
  lastName: sql.raw(shownField('last_name')),
  title: sql.raw(shownField('title')),
  department: sql.raw(shownField('department')),
  phone: sql.raw(shownField('phone')),
  locale: sql.raw(shownField('locale')),
  active: sql`(m.status <> 'suspended')`,
  userName: sql`coalesce(s.user_name, u.email)`,
}

const SIMPLE_ATTRIBUTES: Record<string, SQL> = {
  id: sql`m.user_id::text`,
  externalId: sql`m.external_id`,
  userName: MEMBER_COLUMNS.userName,
  'name.givenName': MEMBER_COLUMNS.firstName,
  'name.familyName': MEMBER_COLUMNS.lastName,
  title: MEMBER_COLUMNS.title,
  locale: MEMBER_COLUMNS.locale,
  active: MEMBER_COLUMNS.active,
  [`${ENTERPRISE_USER}:department`]: MEMBER_COLUMNS.department,
  'meta.resourceType': sql`'User'::text`,
  'meta.created': sql`m.created_at`,
  'meta.lastModified': sql`m.updated_at`,
  'meta.version': sql`NULL::text`,
}

/** Returns an attribute that is stored as the client sent it. */
function storedAttribute({ extension, attribute, sub }: Target): SQL {
  const container = extension ? sql`(s.data -> ${extension}::text)` : sql`s.data`
  if (sub) return sql`(${container} -> ${attribute.name}::text ->> ${sub.name}::text)`
  return sql`(${container} ->> ${attribute.name}::text)`
}

/**
 * Returns the values of a stored list. The value that was the account's when the list was written is replaced by the current one.
 * @param wasCurrent whether a value `e` was the account's
 */
const withCurrentValue = (list: string, wasCurrent: SQL, current: SQL): SQL =>
  sql`SELECT CASE WHEN ${wasCurrent} THEN jsonb_set(e, '{value}', to_jsonb(${current})) ELSE e END FROM jsonb_array_elements(s.data -> ${list}::text) AS e
    WHERE s.data ? ${list}::text AND NOT (${wasCurrent} AND ${current} IS NULL)`

const EMAILS = sql`${withCurrentValue('emails', sql`(lower(e ->> 'value') = s.address AND s.address <> u.email) IS TRUE`, sql`u.email`)}
  UNION ALL SELECT jsonb_build_object('value', u.email, 'type', 'work', 'primary', true) WHERE NOT coalesce(s.data ? 'emails', false)`

const PHONES = sql`${withCurrentValue('phoneNumbers', sql`(e ->> 'value' = s.phone AND s.phone IS DISTINCT FROM ${MEMBER_COLUMNS.phone}) IS TRUE`, MEMBER_COLUMNS.phone)}
  UNION ALL SELECT jsonb_build_object('value', ${MEMBER_COLUMNS.phone}, 'type', 'work') WHERE ${MEMBER_COLUMNS.phone} IS NOT NULL AND NOT coalesce(s.data ? 'phoneNumbers', false)`

const SCHEMAS = sql`SELECT to_jsonb(${USER}::text) UNION ALL SELECT to_jsonb(${ENTERPRISE_USER}::text)
  WHERE ${MEMBER_COLUMNS.department} IS NOT NULL OR coalesce(s.data ? ${ENTERPRISE_USER}::text, false)`

const groupsAt = (base: string): SQL =>
  sql`SELECT jsonb_build_object('value', g.id::text, '$ref', ${`${base}/Groups/`}::text || g.id, 'display', g.name, 'type', 'direct')
    FROM ${groupMembers} gm JOIN ${groups} g ON g.id = gm.group_id
    WHERE gm.user_id = m.user_id AND gm.organization_id = m.organization_id`

const UNIQUE = new Set(['id', 'userName', 'externalId'])

/** Returns the columns of a User. @param base the URL of the team's SCIM service */
export const userColumns = (base: string): Columns => ({
  simple: (target) =>
    target.path === 'meta.location'
      ? sql`(${`${base}/Users/`}::text || m.user_id)`
      : (SIMPLE_ATTRIBUTES[target.path] ?? storedAttribute(target)),
  values({ attribute: { name } }) {
    if (name === 'emails') return EMAILS
    if (name === 'phoneNumbers') return PHONES
    if (name === 'schemas') return SCHEMAS
    if (name === 'groups') return groupsAt(base)
    return sql`SELECT e FROM jsonb_array_elements(s.data -> ${name}::text) AS e`
  },
  unique: UNIQUE,
  byIndex,
  among,
})

/**
 * Lookups by identifier: `users_email` and `memberships_user_organization` for an email address, `scim_users_user_name` for another
 * userName, `memberships_external_id`, and `memberships_user_organization` for an ID. Clients send one for each user.
 */
function byIndex({ op, target: { path }, value }: Comparison): SQL | undefined {
  if (op !== 'eq' || typeof value !== 'string') return undefined
  if (path === 'externalId') return sql`m.external_id = ${value}::text`
  if (path === 'id') {
    const id = parseId<UserId>(value)
    return id === value ? sql`m.user_id = ${id}::uuid` : sql`false`
  }
  if (path !== 'userName') return undefined
  // Names are stored trimmed, so the trimmed value is compared.
  const email = addressOf(value)
  return email
    ? sql`(u.email = ${email}::text AND s.user_name IS NULL)`
    : sql`(s.user_name_key = ${value.trim().toLowerCase()}::text AND s.organization_id = m.organization_id)`
}

/** Filters that an index narrows: by email address, and by display name or its prefix. */
function among({ op, target: { path }, value }: Comparison): SQL | undefined {
  if (typeof value !== 'string') return undefined
  if (op === 'eq' && (path === 'emails' || path === 'emails.value')) return hasEmail(value)
  return path === 'displayName' && (op === 'eq' || op === 'sw') ? hasDisplayName(op, value) : undefined
}

/**
 * Matches the account's email address (`users_email`) or the stored email addresses (`scim_users_emails`). An array, because the planner
 * overestimates the number of rows otherwise.
 */
const hasEmail = (email: string): SQL => sql`m.id = ANY (ARRAY(
  SELECT o.id FROM ${users} a JOIN ${memberships} o ON o.user_id = a.id WHERE a.email = ${email.toLowerCase()}::text
  UNION ALL SELECT w.membership_id FROM ${scimUsers} w
    WHERE w.data ? 'emails' AND lower(w.data ->> 'emails')::jsonb @> ${lowerCase(JSON.stringify([{ value: email }]))}::jsonb))`

/** Compares the prefix of a name that `scim_users_display_name` contains. */
function hasDisplayName(op: 'eq' | 'sw', name: string): SQL {
  const length = sql.raw(String(INDEXED_NAME))
  const prefix = sql`left(${lowerCase(name)}, ${length})`
  const column = sql`left(lower(s.data ->> 'displayName'), ${length}) COLLATE "C"`
  const matches = op === 'eq' ? sql`${column} = ${prefix}` : sql`${column} LIKE ${prefixPattern(prefix)}`
  return sql`(${matches} AND s.data ? 'displayName' AND s.organization_id = m.organization_id)`
}
