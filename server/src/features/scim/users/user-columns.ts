import { type SQL, sql } from 'drizzle-orm'
import { parseId, type UserId } from '../../../platform/ids.js'
import { type Comparison, ENTERPRISE_USER, type Target, USER } from '../../../protocols/scim/index.js'
import { groupMembers, groups } from '../../groups/index.js'
import { memberships, SHOWS_OWN_PROFILE } from '../../members/index.js'
import { users } from '../../users/index.js'
import { type Columns, lowerCase, prefixPattern } from '../model/compile-filter.js'
import { INDEXED_NAME, scimUsers } from '../tables.js'
import { addressOf } from './split-user.js'

/** The profile as the team sees it: the team's value, else the user's own if the membership is confirmed. */
const shown = (column: 'first_name' | 'last_name' | 'title' | 'department' | 'phone' | 'locale'): SQL => {
  const name = sql.raw(column)
  return sql`coalesce(m.${name}, CASE WHEN ${SHOWS_OWN_PROFILE} THEN u.${name} END)`
}

/** A member as SCIM clients see it, from `memberships m`, `users u` and `scim_users s`. */
export const SHOWN = {
  firstName: shown('first_name'),
  lastName: shown('last_name'),
  title: shown('title'),
  department: shown('department'),
  phone: shown('phone'),
  locale: shown('locale'),
  active: sql`(m.status <> 'suspended')`,
  userName: sql`coalesce(s.user_name, u.email)`,
}

const SIMPLE: Record<string, SQL> = {
  id: sql`m.user_id::text`,
  externalId: sql`m.external_id`,
  userName: SHOWN.userName,
  'name.givenName': SHOWN.firstName,
  'name.familyName': SHOWN.lastName,
  title: SHOWN.title,
  locale: SHOWN.locale,
  active: SHOWN.active,
  [`${ENTERPRISE_USER}:department`]: SHOWN.department,
  'meta.resourceType': sql`'User'::text`,
  'meta.created': sql`m.created_at`,
  'meta.lastModified': sql`m.updated_at`,
  'meta.version': sql`NULL::text`,
}

/** Returns an attribute that is stored as it was sent. */
function stored({ extension, attribute, sub }: Target): SQL {
  const container = extension ? sql`(s.data -> ${extension}::text)` : sql`s.data`
  if (sub) return sql`(${container} -> ${attribute.name}::text ->> ${sub.name}::text)`
  return sql`(${container} ->> ${attribute.name}::text)`
}

/** Returns the values of a stored list; the value that was `old` when they were written is replaced by the current `now`. */
const following = (list: string, old: SQL, now: SQL): SQL =>
  sql`SELECT CASE WHEN ${old} THEN jsonb_set(e, '{value}', to_jsonb(${now})) ELSE e END FROM jsonb_array_elements(s.data -> ${list}::text) AS e
    WHERE s.data ? ${list}::text AND NOT (${old} AND ${now} IS NULL)`

const EMAILS = sql`${following('emails', sql`(lower(e ->> 'value') = s.address AND s.address <> u.email) IS TRUE`, sql`u.email`)}
  UNION ALL SELECT jsonb_build_object('value', u.email, 'type', 'work', 'primary', true) WHERE NOT coalesce(s.data ? 'emails', false)`

const PHONES = sql`${following('phoneNumbers', sql`(e ->> 'value' = s.phone AND s.phone IS DISTINCT FROM ${SHOWN.phone}) IS TRUE`, SHOWN.phone)}
  UNION ALL SELECT jsonb_build_object('value', ${SHOWN.phone}, 'type', 'work') WHERE ${SHOWN.phone} IS NOT NULL AND NOT coalesce(s.data ? 'phoneNumbers', false)`

const SCHEMAS = sql`SELECT to_jsonb(${USER}::text) UNION ALL SELECT to_jsonb(${ENTERPRISE_USER}::text)
  WHERE ${SHOWN.department} IS NOT NULL OR coalesce(s.data ? ${ENTERPRISE_USER}::text, false)`

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
      : (SIMPLE[target.path] ?? stored(target)),
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
  const address = addressOf(value)
  return address
    ? sql`(u.email = ${address}::text AND s.user_name IS NULL)`
    : sql`(s.user_name_key = ${value.trim().toLowerCase()}::text AND s.organization_id = m.organization_id)`
}

/** Lookups that an index narrows: an email address, and a display name or its prefix. */
function among({ op, target: { path }, value }: Comparison): SQL | undefined {
  if (typeof value !== 'string') return undefined
  if (op === 'eq' && (path === 'emails' || path === 'emails.value')) return withAddress(value)
  return path === 'displayName' && (op === 'eq' || op === 'sw') ? withDisplayName(op, value) : undefined
}

/**
 * Matches the account's address (`users_email`) or the stored addresses (`scim_users_emails`). An array, because the planner
 * overestimates the number of rows otherwise.
 */
const withAddress = (email: string): SQL => sql`m.id = ANY (ARRAY(
  SELECT o.id FROM ${users} a JOIN ${memberships} o ON o.user_id = a.id WHERE a.email = ${email.toLowerCase()}::text
  UNION ALL SELECT w.membership_id FROM ${scimUsers} w
    WHERE w.data ? 'emails' AND lower(w.data ->> 'emails')::jsonb @> ${lowerCase(JSON.stringify([{ value: email }]))}::jsonb))`

/** Compares the prefix of a name that `scim_users_display_name` contains. */
function withDisplayName(op: 'eq' | 'sw', name: string): SQL {
  const most = sql.raw(String(INDEXED_NAME))
  const known = sql`left(${lowerCase(name)}, ${most})`
  const column = sql`left(lower(s.data ->> 'displayName'), ${most}) COLLATE "C"`
  const meets = op === 'eq' ? sql`${column} = ${known}` : sql`${column} LIKE ${prefixPattern(known)}`
  return sql`(${meets} AND s.data ? 'displayName' AND s.organization_id = m.organization_id)`
}
