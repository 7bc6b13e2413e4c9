import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { GroupId, MembershipId, ScimRequestId, ScimTokenId, TeamId } from '../../platform/ids.js'
import type { ScimObject } from '../../protocols/scim/index.js'
import { scimTokens } from '../access-tokens/index.js'
import { groups } from '../groups/index.js'
import { memberships } from '../members/index.js'
import { organizations } from '../teams/index.js'

const ofTeam = () =>
  uuid('organization_id')
    .$type<TeamId>()
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' })

/** The number of characters of a display name in its index, because index entries have a size limit. */
export const INDEXED_NAME = 200

/** The members that a SCIM client has written, with the attributes that the membership has no column for. */
export const scimUsers = pgTable(
  'scim_users',
  {
    membershipId: uuid('membership_id')
      .$type<MembershipId>()
      .primaryKey()
      .references(() => memberships.id, { onDelete: 'cascade' }),
    organizationId: ofTeam(),
    /** A `userName` that is not an email address; null if it is the account's address. */
    userName: text('user_name'),
    /** The `userName` in lower case, for comparisons. */
    userNameKey: text('user_name_key'),
    /** The value in `data.emails` that was the account's email address when they were written. */
    address: text('address'),
    /** The value in `data.phoneNumbers` that was the phone number of the membership when they were written. */
    phone: text('phone'),
    /** Keyed by attribute name. */
    data: jsonb('data').$type<ScimObject>().notNull(),
  },
  (table) => [
    uniqueIndex('scim_users_user_name')
      .on(table.organizationId, table.userNameKey)
      .where(sql`user_name_key IS NOT NULL`),
    index('scim_users_display_name')
      .on(table.organizationId, sql`left(lower(data ->> 'displayName'), ${sql.raw(String(INDEXED_NAME))}) COLLATE "C"`)
      .where(sql`data ? 'displayName'`),
    // Only for members with other addresses than the account's.
    index('scim_users_emails')
      .using('gin', sql`(lower(data ->> 'emails')::jsonb) jsonb_path_ops`)
      .where(sql`data ? 'emails'`),
  ],
)

/** The groups that a SCIM client has written, with the attributes that the group has no column for. */
export const scimGroups = pgTable(
  'scim_groups',
  {
    groupId: uuid('group_id')
      .$type<GroupId>()
      .primaryKey()
      .references(() => groups.id, { onDelete: 'cascade' }),
    organizationId: ofTeam(),
    externalId: text('external_id'),
  },
  (table) => [index('scim_groups_external_id').on(table.organizationId, table.externalId)],
)

/** The recent requests of a team's SCIM clients, to help with their setup. */
export const scimRequests = pgTable(
  'scim_requests',
  {
    id: uuid('id').$type<ScimRequestId>().primaryKey(),
    organizationId: ofTeam(),
    tokenId: uuid('token_id')
      .$type<ScimTokenId>()
      .references(() => scimTokens.id, { onDelete: 'cascade' }),
    method: text('method').notNull(),
    /** The path after the team and the query, without the values of filters. */
    path: text('path').notNull(),
    status: integer('status').notNull(),
    scimType: text('scim_type'),
    detail: text('detail'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('scim_requests_newest').on(table.organizationId, table.id),
    index('scim_requests_token').on(table.tokenId),
  ],
)
