import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { ApiTokenId, OriginId, ScimTokenId, TeamId, UserId } from '../../platform/ids.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'

/** @param permissions the name of the column of that content */
const tokenTable = (name: string, permissions: string) =>
  pgTable(
    // One type for both tables, so that the same queries read either.
    name as 'api_tokens',
    {
      id: uuid('id').$type<ApiTokenId | ScimTokenId>().primaryKey(),
      organizationId: uuid('organization_id')
        .$type<TeamId>()
        .notNull()
        .references(() => organizations.id, { onDelete: 'cascade' }),
      name: text('name').notNull(),
      hash: bytes('hash').notNull(),
      /** The first characters, which identify the token in the list. */
      prefix: text('prefix').notNull(),
      /** Permissions of the token, limited by the current permissions of its creator. */
      permissions: text(permissions).array().notNull(),
      /** The creator, with whose permissions it acts. Deleted with the account. */
      createdBy: uuid('created_by')
        .$type<UserId>()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      /** The creator's epoch at its creation; invalid in a later one. */
      epoch: integer('epoch').notNull().default(0),
      /** The origin of the session in which it was created. */
      temporarySetBy: uuid('temporary_set_by').$type<OriginId>(),
      expiresAt: timestampColumn('expires_at'),
      lastUsedAt: timestampColumn('last_used_at'),
      revokedAt: timestampColumn('revoked_at'),
      createdAt: timestampColumn('created_at').notNull(),
    },
    (table) => [
      uniqueIndex(`${name}_hash`).on(table.hash),
      index(`${name}_newest`).on(table.organizationId, table.createdAt, table.id),
      index(`${name}_created_by`).on(table.createdBy),
    ],
  )

/** API tokens of programs that act in a team, by their SHA-256. */
export const apiTokens = tokenTable('api_tokens', 'scopes')

/** Tokens with which SCIM clients provision a team, by their SHA-256. */
export const scimTokens = tokenTable('scim_tokens', 'permissions')
