import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, moment } from '../../platform/db/platform-tables.js'
import type { InvitationId, MembershipId, TeamId, UserId } from '../../platform/ids.js'
import { users } from '../identities/index.js'
import { organizations } from '../organizations/index.js'

export const memberships = pgTable(
  'memberships',
  {
    id: uuid('id').$type<MembershipId>().primaryKey(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
    status: text('status').$type<'pending' | 'active' | 'suspended'>().notNull(),
    /** Whether the user entered it (or it made the account): a team that merely added an address weighs nothing elsewhere. */
    counts: boolean('counts').notNull(),
    /** What the team writes about the person; shown inside it, before the person's own profile. */
    firstName: text('first_name'),
    lastName: text('last_name'),
    department: text('department'),
    title: text('title'),
    phone: text('phone'),
    locale: text('locale'),
    externalId: text('external_id'),
    /** Lower-cased names and address as the team sees them, for the search; written by triggers (migration `member-search`). */
    search: text('search').notNull().default(''),
    /** Access tokens for the team from before this moment are dead; null: none is. Written when the membership is made or made active again, and when an administrator ends what is open by it. */
    tokensSince: moment('tokens_since'),
    /** In no index: a sign-in writes it, and then touches none of them. */
    lastUsedAt: moment('last_used_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('memberships_user_organization').on(table.userId, table.organizationId),
    index('memberships_newest').on(table.organizationId, table.createdAt, table.id),
    uniqueIndex('memberships_external_id')
      .on(table.organizationId, table.externalId)
      .where(sql`${table.externalId} IS NOT NULL`),
  ],
)

/**
 * How many memberships a team has, of whatever status; written by triggers with them (migration `seats`). Counting a hundred thousand
 * took longer than the rest of a join.
 */
export const teamSeats = pgTable('team_seats', {
  organizationId: uuid('organization_id')
    .$type<TeamId>()
    .primaryKey()
    .references(() => organizations.id, { onDelete: 'cascade' }),
  taken: integer('taken').notNull(),
})

/** Somebody was asked to join. One of an address waits at a time; `EXPIRED` is told by the time and stored nowhere. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').$type<InvitationId>().primaryKey(),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    role: text('role').notNull(),
    status: text('status').$type<'PENDING' | 'ACCEPTED' | 'REVOKED'>().notNull(),
    /** SHA-256 of the token in the mail; a resend replaces it. */
    tokenHash: bytes('token_hash').notNull(),
    /** Who asked; null when that account is gone. */
    invitedBy: uuid('invited_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    acceptedBy: uuid('accepted_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('invitations_token').on(table.tokenHash),
    uniqueIndex('invitations_pending').on(table.organizationId, table.email).where(sql`status = 'PENDING'`),
    index('invitations_newest').on(table.organizationId, table.createdAt, table.id),
    index('invitations_invited_by').on(table.invitedBy),
    index('invitations_accepted_by').on(table.acceptedBy),
  ],
)
