import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { InvitationId, MembershipId, OriginId, TeamId, UserId } from '../../platform/ids.js'
import { teamColumn } from '../teams/index.js'
import { userColumn, users } from '../users/index.js'

/** How a user was added to a team: `local` by an administrator or an act of the user, the others by an automation or an invitation. */
export const MEMBER_SOURCES = ['local', 'invitation', 'import', 'scim', 'ldap', 'sso'] as const
export type MemberSource = (typeof MEMBER_SOURCES)[number]

export const memberships = pgTable(
  'memberships',
  {
    id: uuid('id').$type<MembershipId>().primaryKey(),
    userId: userColumn(),
    organizationId: teamColumn(),
    role: text('role').notNull(),
    status: text('status').$type<'pending' | 'active' | 'suspended'>().notNull(),
    /**
     * The user confirmed it by an explicit act in an unrestricted session, such as creating the team or accepting an invitation. The
     * membership of the home team is confirmed without, and a suspended one is not: queries use `isConfirmed`.
     */
    confirmed: boolean('counts').notNull(),
    /** The profile that the team stores; shown in the team before the own profile. */
    firstName: text('first_name'),
    lastName: text('last_name'),
    department: text('department'),
    title: text('title'),
    phone: text('phone'),
    locale: text('locale'),
    externalId: text('external_id'),
    /** Folded names and email address as the team sees them, for the search; written by triggers (migration `member-search`). */
    search: text('search').notNull().default(''),
    /**
     * Access tokens for the team from before this time are revoked; null: none. Written on creation, reactivation and session revocation.
     */
    tokensSince: timestampColumn('tokens_since'),
    /** Set by a factor reset of the team: unrestricted factors from before are neither accepted nor required in this team. */
    factorsSince: timestampColumn('factors_since'),
    /** Set by a lock-down of the user: the own password, if it is from before, must be changed before it grants access to this team. */
    passwordsValidFrom: timestampColumn('passwords_since'),
    /** How the user was added to the team; null in rows from before the column, which no directory or provider manages. */
    source: text('source').$type<MemberSource>(),
    /** When a job suspends the membership; null: never. */
    leaveAt: timestampColumn('leave_at'),
    /** The permissions of the caller who set the leave date, sorted: it does not suspend a member who holds more of them by then. */
    leavePermissions: text('leave_permissions').array(),
    /**
     * Who set the leave date: it suspends the member only while they have the permissions. Null in rows from before the column. Without a
     * foreign key: the account may be deleted, and then the date does not take effect.
     */
    leaveSetBy: uuid('leave_set_by').$type<UserId>(),
    /** Epoch of the setter's account at that time. */
    leaveSetEpoch: integer('leave_set_epoch'),
    /** The origin of the setter's session. */
    leaveTemporarySetBy: uuid('leave_temporary_set_by').$type<OriginId>(),
    /** Enrollment time of the newest second factor that is restricted to this team; null without one. */
    secondFactorAt: timestampColumn('second_factor_at'),
    /** Not indexed, so that the update at every sign-in touches no index. */
    lastUsedAt: timestampColumn('last_used_at'),
    /** The last use in an unrestricted session, which determines the default team. */
    lastUnrestrictedUseAt: timestampColumn('last_unrestricted_use_at'),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('memberships_user_organization').on(table.userId, table.organizationId),
    // Teams can add any number of memberships to an account, but only the account's owner confirms them.
    index('memberships_confirmed').on(table.userId).where(sql`counts`),
    index('memberships_newest').on(table.organizationId, table.createdAt, table.id),
    index('memberships_leave').on(table.leaveAt).where(sql`leave_at IS NOT NULL`),
    uniqueIndex('memberships_external_id')
      .on(table.organizationId, table.externalId)
      .where(sql`${table.externalId} IS NOT NULL`),
  ],
)

/**
 * The number of memberships of a team, in any status; maintained by triggers (migration `seats`), because counting a hundred thousand rows
 * is too slow for a join.
 */
export const teamSeats = pgTable('team_seats', {
  organizationId: teamColumn().primaryKey(),
  taken: integer('taken').notNull(),
})

/**
 * Members that a team removed, or had suspended when they left or changed the email address. They return only through an administrator,
 * SCIM, LDAP or a later invitation. Includes the email address, because a deleted account can register again under another ID.
 */
export const removedMembers = pgTable(
  'removed_members',
  {
    organizationId: teamColumn(),
    email: text('email').notNull(),
    /** Without a foreign key: the account may be deleted. */
    userId: uuid('user_id').$type<UserId>().notNull(),
    removedAt: timestampColumn('removed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.email] }),
    index('removed_members_user').on(table.userId, table.organizationId),
  ],
)

/**
 * The last editors of providers and directories at the time of a sign-in. Credentials that began there are revoked or rejected if the
 * member has more permissions than the editor. One row for all sign-ins with the same editor.
 */
export const signInEditors = pgTable(
  'sign_in_editors',
  {
    /** The value of `temporary_set_by` in the credentials. */
    id: uuid('id').$type<OriginId>().primaryKey(),
    organizationId: teamColumn(),
    /** The provider or directory. Without a foreign key: credentials may outlast it. */
    sourceId: uuid('source_id').notNull(),
    /** Without a foreign key: the account may be deleted. The row's own ID once the editor was suspended or left. */
    savedBy: uuid('saved_by').$type<UserId>().notNull(),
    savedEpoch: integer('saved_epoch').notNull(),
    /** Sorted. */
    savedPermissions: text('saved_permissions').array().notNull(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('sign_in_editors_source').on(table.sourceId, table.savedBy, table.savedEpoch, table.savedPermissions),
    index('sign_in_editors_organization').on(table.organizationId),
    index('sign_in_editors_saved_by').on(table.savedBy),
  ],
)

/**
 * Several members behind one credential: a member whose session depended on the temporary password of another set this one. The credential is
 * rejected as soon as one of them has fewer permissions than its user.
 */
export const jointSetters = pgTable(
  'joint_setters',
  {
    /** The value of `temporary_set_by` in the credentials. */
    id: uuid('id').$type<OriginId>().primaryKey(),
    organizationId: teamColumn(),
    /** Sorted, not empty. Without a foreign key: an account may be deleted. The row's own ID once their authority was revoked. */
    setBy: uuid('set_by').$type<UserId>().array().notNull(),
    /** The row of `sign_in_editors`, for sessions of a provider or directory that was saved in a session with a temporary password. */
    editorId: uuid('editor_id')
      .$type<OriginId>()
      .references(() => signInEditors.id, { onDelete: 'cascade' }),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('joint_setters_organization').on(table.organizationId, table.setBy),
    index('joint_setters_editor').on(table.editorId),
    check('joint_setters_not_empty', sql`cardinality(set_by) > 0`),
  ],
)

/**
 * The members who set temporary passwords for other members of their team. A row stays while credentials can depend on the password, such
 * as those created in a session that it started.
 */
export const temporarySetters = pgTable(
  'temporary_setters',
  {
    userId: uuid('user_id').$type<UserId>().notNull(),
    organizationId: uuid('organization_id').$type<TeamId>().notNull(),
    /** Every setter of joint ones. Without a foreign key: the account may be deleted. */
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
 * Teams that a user has blocked: their mails to the user are dropped, and they are not listed among the waiting teams. Separate from the
 * memberships, so that a team cannot end the block by removing and adding the user.
 */
export const blockedTeams = pgTable(
  'blocked_teams',
  {
    userId: userColumn(),
    organizationId: teamColumn(),
    blockedAt: timestampColumn('blocked_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId] }),
    index('blocked_teams_organization').on(table.organizationId),
  ],
)

/** Invitations to join a team. An address has at most one pending one; `EXPIRED` is derived from the time and not stored. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').$type<InvitationId>().primaryKey(),
    organizationId: teamColumn(),
    email: text('email').notNull(),
    role: text('role').notNull(),
    status: text('status').$type<'PENDING' | 'ACCEPTED' | 'REVOKED'>().notNull(),
    /** SHA-256 of the token in the newest mail. */
    tokenHash: bytes('token_hash').notNull(),
    /** SHA-256 of tokens in earlier mails, newest first: they stay valid after a resend. */
    earlierTokenHashes: bytes('earlier_token_hashes').array().notNull().default([]),
    /** The inviter; null if the account was deleted. */
    invitedBy: uuid('invited_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    /** The origin of the inviter's session. */
    temporarySetBy: uuid('temporary_set_by').$type<OriginId>(),
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
    index('invitations_email').on(table.email),
    index('invitations_invited_by').on(table.invitedBy),
    index('invitations_accepted_by').on(table.acceptedBy),
  ],
)
