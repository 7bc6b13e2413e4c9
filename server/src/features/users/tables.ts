import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { TeamId, UserId } from '../../platform/ids.js'

export const users = pgTable(
  'users',
  {
    id: uuid('id').$type<UserId>().primaryKey(),
    /** Normalized: lower case, trimmed. */
    email: text('email').notNull(),
    /** When the owner of the email address verified it; null while it is unverified. */
    emailVerifiedAt: timestampColumn('email_verified_at'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    department: text('department'),
    title: text('title'),
    phone: text('phone'),
    locale: text('locale'),
    status: text('status').$type<'active' | 'suspended'>().notNull(),
    /**
     * Registered with an email address that may belong to another user: its verification by mail removes the registrant's data
     * (pre-hijacking).
     */
    selfRegistered: boolean('self_registered').notNull(),
    /** When the password was last set; null without one. The hash is stored by `credentials`. */
    passwordSetAt: timestampColumn('password_set_at'),
    /** Teams whose policy the password violated when it was set; it must be changed for them. */
    passwordDueTeamIds: uuid('password_due_team_ids').$type<TeamId>().array().notNull().default([]),
    /** Since when the account has a second factor; null without one. The factors are stored by `mfa`. */
    secondFactorSince: timestampColumn('second_factor_since'),
    /**
     * The team that inserted the account; null if its user or the onboarding did. It may rename or delete the account while the address
     * is unverified.
     */
    madeByTeamId: uuid('made_by_team_id').$type<TeamId>(),
    /**
     * Incremented by the first verification, and when a team renames an unverified account. Credentials of an earlier epoch do not exist.
     */
    epoch: integer('epoch').notNull().default(0),
    /** When the user requested the deletion of the account; null if they did not, or a sign-in cancelled it. */
    deletionRequestedAt: timestampColumn('deletion_requested_at'),
    /** The time from which the requested deletion takes effect; null without a request. */
    deletionScheduledAt: timestampColumn('deletion_scheduled_at'),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email').on(table.email),
    index('users_created').on(table.createdAt),
    index('users_deletion_scheduled').on(table.deletionScheduledAt).where(sql`deletion_scheduled_at IS NOT NULL`),
  ],
)

/** The column of a table whose rows belong to an account and are deleted with it. */
export const userColumn = () =>
  uuid('user_id')
    .$type<UserId>()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })
