import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { TeamId, UserId } from '../../platform/ids.js'

export const users = pgTable(
  'users',
  {
    id: uuid('id').$type<UserId>().primaryKey(),
    /** Normalized: lower case, no white space around. */
    email: text('email').notNull(),
    /** When the owner of the address proved it to the account; null while nobody has. */
    emailVerifiedAt: timestampColumn('email_verified_at'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    department: text('department'),
    title: text('title'),
    phone: text('phone'),
    locale: text('locale'),
    status: text('status').$type<'active' | 'suspended'>().notNull(),
    /** Made by whoever typed the address: a proof by mail takes the account away from them (account pre-hijacking). */
    selfRegistered: boolean('self_registered').notNull(),
    /** When the password was last set; null for an account without one. The hash itself is with the credentials. */
    passwordSetAt: timestampColumn('password_set_at'),
    /** The teams whose policy the password did not meet when it was set: due for them, until another one is set. */
    passwordDueTeamIds: uuid('password_due_team_ids').$type<TeamId>().array().notNull().default([]),
    /** Since when the account has a second factor; null while it has none. The factors themselves are with `mfa`. */
    secondFactorSince: timestampColumn('second_factor_since'),
    /** The team that inserted the account; null if its user or the onboarding did. It decides only whether the team may rename or delete it while its address is unverified. */
    madeByTeamId: uuid('made_by_team_id').$type<TeamId>(),
    /**
     * Counts the ends of everything that was created for the account before: its first verification, and a team's rename of an
     * unverified account. A credential of an earlier epoch does not exist.
     */
    epoch: integer('epoch').notNull().default(0),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [uniqueIndex('users_email').on(table.email), index('users_created').on(table.createdAt)],
)
