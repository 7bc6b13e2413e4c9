import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { GroupId, MembershipId, ScimRequestId, ScimTokenId, TeamId, UserId } from '../../platform/ids.js'
import type { ScimObject } from '../../protocols/scim/index.js'
import { groups } from '../groups/index.js'
import { memberships } from '../members/index.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'

const ofTeam = () =>
  uuid('organization_id')
    .$type<TeamId>()
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' })

/** Tokens by which directories write the people and groups of a team, each by its SHA-256. */
export const scimTokens = pgTable(
  'scim_tokens',
  {
    id: uuid('id').$type<ScimTokenId>().primaryKey(),
    organizationId: ofTeam(),
    name: text('name').notNull(),
    hash: bytes('hash').notNull(),
    /** The first characters, by which somebody who has the token finds its row. */
    prefix: text('prefix').notNull(),
    /** What its maker might do then; it acts with those of them that its maker still has. */
    permissions: text('permissions').array().notNull(),
    /** Who made it; the token goes with the account. */
    createdBy: uuid('created_by')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The creator's epoch when it was created; in a later one it does not exist. */
    epoch: integer('epoch').notNull().default(0),
    /** The member who set the temporary password that started the session in which it was created. */
    temporarySetBy: uuid('temporary_set_by').$type<UserId>(),
    expiresAt: timestampColumn('expires_at'),
    lastUsedAt: timestampColumn('last_used_at'),
    revokedAt: timestampColumn('revoked_at'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('scim_tokens_hash').on(table.hash),
    index('scim_tokens_newest').on(table.organizationId, table.createdAt, table.id),
    index('scim_tokens_created_by').on(table.createdBy),
  ],
)

/** So many characters of a display name are in its index, which takes no text of whatever length. */
export const INDEXED_NAME = 200

/** The members that a directory has written, each with what it wrote that the membership has no column for. */
export const scimUsers = pgTable(
  'scim_users',
  {
    membershipId: uuid('membership_id')
      .$type<MembershipId>()
      .primaryKey()
      .references(() => memberships.id, { onDelete: 'cascade' }),
    organizationId: ofTeam(),
    /** A `userName` that is no e-mail address; null: it is that of the account. */
    userName: text('user_name'),
    /** In lower case, as it is compared. */
    userNameKey: text('user_name_key'),
    /** What of `data.emails` was the address of the account when they were written. */
    address: text('address'),
    /** What of `data.phoneNumbers` was the phone of the membership when they were written. */
    phone: text('phone'),
    /** By the names of the schemas. */
    data: jsonb('data').$type<ScimObject>().notNull(),
  },
  (table) => [
    uniqueIndex('scim_users_user_name')
      .on(table.organizationId, table.userNameKey)
      .where(sql`user_name_key IS NOT NULL`),
    index('scim_users_display_name')
      .on(table.organizationId, sql`left(lower(data ->> 'displayName'), ${sql.raw(String(INDEXED_NAME))}) COLLATE "C"`)
      .where(sql`data ? 'displayName'`),
    // Of those alone whose addresses are not simply that of the account.
    index('scim_users_emails')
      .using('gin', sql`(lower(data ->> 'emails')::jsonb) jsonb_path_ops`)
      .where(sql`data ? 'emails'`),
  ],
)

/** The groups that a directory has written, each with what it wrote that the group has no column for. */
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

/** The last requests of a team's directories, for whoever sets one up. */
export const scimRequests = pgTable(
  'scim_requests',
  {
    id: uuid('id').$type<ScimRequestId>().primaryKey(),
    organizationId: ofTeam(),
    tokenId: uuid('token_id')
      .$type<ScimTokenId>()
      .references(() => scimTokens.id, { onDelete: 'cascade' }),
    method: text('method').notNull(),
    /** Behind the address of the team, with what is asked for, and without the values of a filter. */
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
