import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { ApiTokenId, ScimTokenId, TeamId, UserId } from '../../platform/ids.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'

/** API tokens of programs that act in a team, by their SHA-256. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid('id').$type<ApiTokenId>().primaryKey(),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    hash: bytes('hash').notNull(),
    /** The first characters, which identify the token in the list. */
    prefix: text('prefix').notNull(),
    /** Permissions of the token, limited by the current permissions of its creator. */
    scopes: text('scopes').array().notNull(),
    /** The creator, with whose permissions it acts. Deleted with the account. */
    createdBy: uuid('created_by')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The creator's epoch at its creation; invalid in a later one. */
    epoch: integer('epoch').notNull().default(0),
    /** The member who set the temporary password that started the session in which it was created. */
    temporarySetBy: uuid('temporary_set_by').$type<UserId>(),
    expiresAt: timestampColumn('expires_at'),
    lastUsedAt: timestampColumn('last_used_at'),
    revokedAt: timestampColumn('revoked_at'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('api_tokens_hash').on(table.hash),
    index('api_tokens_newest').on(table.organizationId, table.createdAt, table.id),
    index('api_tokens_created_by').on(table.createdBy),
  ],
)

/** Tokens with which SCIM clients provision a team, stored as SHA-256. */
export const scimTokens = pgTable(
  'scim_tokens',
  {
    id: uuid('id').$type<ScimTokenId>().primaryKey(),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    hash: bytes('hash').notNull(),
    /** The first characters, with which the owner identifies the token. */
    prefix: text('prefix').notNull(),
    /** The creator's permissions at creation; the token has those of them that its creator still has. */
    permissions: text('permissions').array().notNull(),
    /** The creator; the token is deleted with the account. */
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
