import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, moment } from '../../platform/db/platform-tables.js'
import type { ApiTokenId, TeamId, UserId } from '../../platform/ids.js'
import { users } from '../identities/index.js'
import { organizations } from '../organizations/index.js'

export const passwords = pgTable('passwords', {
  userId: uuid('user_id')
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Argon2id in the PHC format, parameters included. */
  hash: text('hash').notNull(),
  /** The team whose administrator gave it: good for seven days, for that team alone, and to be changed at the first sign-in. */
  givenByTeamId: uuid('given_by_team_id').$type<TeamId>(),
  /**
   * The team whose administrator gave it, or had opened the session in which it was chosen: it opens that team alone, until its owner
   * sets one by a proof of their own.
   */
  confinedTeamId: uuid('confined_team_id').$type<TeamId>(),
  setAt: moment('set_at').notNull(),
})

/** The passwords before the current one, for teams that do not let them be chosen again. */
export const passwordHistory = pgTable(
  'password_history',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull(),
    /** When it was replaced. */
    replacedAt: moment('replaced_at').notNull(),
  },
  (table) => [index('password_history_user').on(table.userId, table.replacedAt)],
)

/** Tokens by which programs call the API for a team, each by its SHA-256. */
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
    /** The first characters, by which somebody who has the token finds its row. */
    prefix: text('prefix').notNull(),
    /** Permissions of the access table; it never has more than who made it has now. */
    scopes: text('scopes').array().notNull(),
    /** Who made it, and with whose rights it acts; the token goes with the account. */
    createdBy: uuid('created_by')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment('expires_at'),
    lastUsedAt: moment('last_used_at'),
    revokedAt: moment('revoked_at'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('api_tokens_hash').on(table.hash),
    index('api_tokens_newest').on(table.organizationId, table.createdAt, table.id),
    index('api_tokens_created_by').on(table.createdBy),
  ],
)
