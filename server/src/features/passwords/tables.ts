import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { OriginId, TeamId, UserId } from '../../platform/ids.js'
import { memberships } from '../members/index.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'

/** The unrestricted password of an account. */
export const passwords = pgTable('passwords', {
  userId: uuid('user_id')
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Argon2id in the PHC format, parameters included. */
  hash: text('hash').notNull(),
  /** The account's epoch when it was set; invalid in a later one. */
  epoch: integer('epoch').notNull().default(0),
  setAt: timestampColumn('set_at').notNull(),
})

/** Team passwords: set by a member of the team, or in a session that is restricted to it. */
export const teamPasswords = pgTable(
  'team_passwords',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Argon2id in the PHC format, parameters included. */
    hash: text('hash').notNull(),
    /** Set by an administrator: valid for `TEMPORARY_PASSWORD_LIFETIME`, and must be changed at the next sign-in. */
    isTemporary: boolean('is_temporary').notNull(),
    /** Its origin: the members who set it, or the origin of the session in which it was chosen. */
    temporarySetBy: uuid('temporary_set_by').$type<OriginId>(),
    /** The account's epoch when it was set; invalid in a later one. */
    epoch: integer('epoch').notNull(),
    setAt: timestampColumn('set_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId] }),
    index('team_passwords_organization').on(table.organizationId),
    // Deleted with the membership, so that a later membership does not restore it.
    foreignKey({
      name: 'team_passwords_membership',
      columns: [table.userId, table.organizationId],
      foreignColumns: [memberships.userId, memberships.organizationId],
    }).onDelete('cascade'),
  ],
)

/** Previous passwords, for policies with a history. */
export const passwordHistory = pgTable(
  'password_history',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The team of a team password; null: an own password. */
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull(),
    /** When it was replaced. */
    replacedAt: timestampColumn('replaced_at').notNull(),
  },
  (table) => [
    index('password_history_user').on(table.userId, table.organizationId, table.replacedAt),
    index('password_history_organization').on(table.organizationId).where(sql`organization_id IS NOT NULL`),
  ],
)
