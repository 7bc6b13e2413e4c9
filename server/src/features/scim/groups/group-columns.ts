import { type SQL, sql } from 'drizzle-orm'
import { type GroupId, parseId, type UserId } from '../../../platform/ids.js'
import { type Comparison, GROUP } from '../../../protocols/scim/index.js'
import { groupMembers } from '../../groups/index.js'
import { users } from '../../users/index.js'
import { type Columns, lowerCase, prefixPattern } from '../model/compile-filter.js'

const SIMPLE: Record<string, SQL> = {
  id: sql`g.id::text`,
  externalId: sql`x.external_id`,
  displayName: sql`g.name`,
  'meta.resourceType': sql`'Group'::text`,
  'meta.created': sql`g.created_at`,
  'meta.lastModified': sql`g.updated_at`,
}

const UNIQUE = new Set(['id', 'displayName'])

/** Returns the columns of a Group, for `groups g` and `scim_groups x`. @param base the URL of the team's SCIM service */
export const groupColumns = (base: string): Columns => ({
  simple: ({ path }) =>
    path === 'meta.location' ? sql`(${`${base}/Groups/`}::text || g.id)` : (SIMPLE[path] ?? sql`NULL::text`),
  values: ({ attribute: { name } }) =>
    name === 'members'
      ? sql`SELECT jsonb_build_object('value', gm.user_id::text, '$ref', ${`${base}/Users/`}::text || gm.user_id, 'display', u.email, 'type', 'User')
          FROM ${groupMembers} gm JOIN ${users} u ON u.id = gm.user_id WHERE gm.group_id = g.id`
      : sql`SELECT to_jsonb(${GROUP}::text)`,
  unique: UNIQUE,
  byIndex,
  among,
})

/** Uses `groups_pkey`, `groups_organization_name`, `scim_groups_external_id` and `group_members_user`. */
function byIndex({ op, target: { path }, value }: Comparison): SQL | undefined {
  if (op !== 'eq' || typeof value !== 'string') return undefined
  if (path === 'id') {
    const id = parseId<GroupId>(value)
    return id === value ? sql`g.id = ${id}::uuid` : sql`false`
  }
  // Names are stored trimmed, so the trimmed value is compared.
  if (path === 'displayName') return sql`g.name = ${value.trim()}::text`
  if (path === 'externalId') return sql`(x.external_id = ${value}::text AND x.organization_id = g.organization_id)`
  if (path !== 'members.value') return undefined
  const userId = parseId<UserId>(value)
  if (userId !== value) return sql`false`
  return withMember(userId)
}

const withMember = (userId: UserId): SQL =>
  sql`EXISTS (SELECT 1 FROM ${groupMembers} gm WHERE gm.group_id = g.id AND gm.user_id = ${userId}::uuid)`

/** Members in the other notations (`members eq`, `members[value eq]`), and name prefixes by `groups_folded_name`. */
function among({ op, target: { path }, value }: Comparison): SQL | undefined {
  if (op === 'sw' && path === 'displayName' && typeof value === 'string')
    return sql`lower(g.name) COLLATE "C" LIKE ${prefixPattern(lowerCase(value))}`
  if (op !== 'eq' || typeof value !== 'string') return undefined
  if (path !== 'members' && path !== 'members.value') return undefined
  const userId = parseId<UserId>(value.toLowerCase())
  return userId && withMember(userId)
}
