import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { InvitationId, MembershipId, TeamId, UserId } from '../../platform/ids.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'

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
    /**
     * The user confirmed it by an explicit act in an unrestricted session, such as creating the team or accepting an invitation. The
     * membership of the home team is confirmed without, and a suspended one is not: queries use `isConfirmed`.
     */
    confirmed: boolean('counts').notNull(),
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
    tokensSince: timestampColumn('tokens_since'),
    /** Set by a factor reset of the team: for this team, unrestricted factors from before are neither accepted nor required. */
    factorsSince: timestampColumn('factors_since'),
    /** When the newest second factor that is restricted to this team was enrolled; null while there is none. */
    secondFactorAt: timestampColumn('second_factor_at'),
    /** In no index: a sign-in writes it, and then touches none of them. */
    lastUsedAt: timestampColumn('last_used_at'),
    /** The last use in an unrestricted session, which alone decides the default team. */
    lastUnrestrictedUseAt: timestampColumn('last_unrestricted_use_at'),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('memberships_user_organization').on(table.userId, table.organizationId),
    // Teams can add any number of memberships to an account, but only its owner confirms them.
    index('memberships_confirmed').on(table.userId).where(sql`counts`),
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

/**
 * Members that a team has removed, or had suspended when they left or changed the email address. Without a membership they return only through an administrator, SCIM, LDAP or an invitation that
 * was sent after the removal. The email address is stored too: a deleted account can register again under another ID.
 */
export const removedMembers = pgTable(
  'removed_members',
  {
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    /** Without a foreign key: the account may be deleted. */
    userId: uuid('user_id').$type<UserId>().notNull(),
    removedAt: timestampColumn('removed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.email] }),
    index('removed_members_user').on(table.organizationId, table.userId),
  ],
)

/**
 * The last editors of providers and directories, as they were when these signed somebody in: the credentials that began there end, or are
 * rejected, when the member has more permissions than they do. Written at a sign-in, one row for all with the same editor.
 */
export const signInEditors = pgTable(
  'sign_in_editors',
  {
    /** What `temporary_set_by` of the credentials stores. */
    id: uuid('id').primaryKey(),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** The provider or directory. Without a foreign key: credentials outlast it. */
    sourceId: uuid('source_id').notNull(),
    /** Without a foreign key: the account may be deleted. The ID of the row itself once the editor was suspended or has left. */
    savedBy: uuid('saved_by').$type<UserId>().notNull(),
    savedEpoch: integer('saved_epoch').notNull(),
    /** Sorted. */
    savedPermissions: text('saved_permissions').array().notNull(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('sign_in_editors_source').on(table.sourceId, table.savedBy, table.savedEpoch, table.savedPermissions),
    index('sign_in_editors_organization').on(table.organizationId),
  ],
)

/**
 * Which members set temporary passwords for which members of their team. A row stays while credentials can depend on the password: a session
 * that it started may have created some.
 */
export const temporarySetters = pgTable(
  'temporary_setters',
  {
    userId: uuid('user_id').$type<UserId>().notNull(),
    organizationId: uuid('organization_id').$type<TeamId>().notNull(),
    /** What `temporary_set_by` of the credentials stores. Without a foreign key: the account may be deleted. */
    setBy: uuid('set_by').$type<UserId>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.setBy, table.userId] }),
    index('temporary_setters_member').on(table.userId, table.organizationId),
    foreignKey({
      name: 'temporary_setters_membership',
      columns: [table.userId, table.organizationId],
      foreignColumns: [memberships.userId, memberships.organizationId],
    }).onDelete('cascade'),
  ],
)

/**
 * Teams that a user has blocked: they send the user no mails and are not listed among the teams that wait. Beside the memberships, so that a
 * team cannot end the block by removing the user and adding them again.
 */
export const blockedTeams = pgTable(
  'blocked_teams',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    blockedAt: timestampColumn('blocked_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId] }),
    index('blocked_teams_organization').on(table.organizationId),
  ],
)

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
    /** SHA-256 of the token in the newest mail. */
    tokenHash: bytes('token_hash').notNull(),
    /** SHA-256 of tokens in earlier mails, newest first: they stay valid after a resend. */
    earlierTokenHashes: bytes('earlier_token_hashes').array().notNull().default([]),
    /** Who asked; null when that account is gone. */
    invitedBy: uuid('invited_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    /** The member who set the temporary password that started the inviter's session. */
    temporarySetBy: uuid('temporary_set_by').$type<UserId>(),
    acceptedBy: uuid('accepted_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    expiresAt: timestampColumn('expires_at').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('invitations_token').on(table.tokenHash),
    index('invitations_earlier_tokens').using('gin', table.earlierTokenHashes),
    uniqueIndex('invitations_pending').on(table.organizationId, table.email).where(sql`status = 'PENDING'`),
    index('invitations_newest').on(table.organizationId, table.createdAt, table.id),
    index('invitations_invited_by').on(table.invitedBy),
    index('invitations_accepted_by').on(table.acceptedBy),
  ],
)
