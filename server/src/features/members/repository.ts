import { and, asc, desc, eq, inArray, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { isUniqueViolation } from '../../platform/db/database-errors.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { MembershipId, TeamId, UserId } from '../../platform/ids.js'
import { isHomeTeam, type Organization, organizations } from '../teams/index.js'
import { users } from '../users/index.js'
import { isConfirmed } from './confirmed.js'
import { rejection } from './errors.js'
import type { Membership } from './find-member.js'
import { blockedTeams, memberships } from './tables.js'

/** The profile that a team stores for a member. */
export type TeamProfile = Partial<
  Pick<Membership, 'firstName' | 'lastName' | 'department' | 'title' | 'phone' | 'locale'>
>

/** The profile that a team's directory stores, with its external ID, unique in the team. */
export type DirectoryProfile = TeamProfile & Partial<Pick<Membership, 'externalId'>>

/** @throws external_id_taken for a violation of its unique key */
function rejectTakenExternalId(error: unknown): never {
  throw isUniqueViolation(error, 'memberships_external_id') ? rejection('external_id_taken') : error
}

/** Updates the role of a locked member. Runs in the caller's transaction. */
export async function writeRole(tx: Transaction, clock: Clock, id: MembershipId, role: string): Promise<Membership> {
  const [row] = await tx
    .update(memberships)
    .set({ role, updatedAt: clock.now() })
    .where(eq(memberships.id, id))
    .returning()
  return row as Membership
}

/**
 * Returns the teams of the user with their roles, by name, without blocked ones: at most 1,000, confirmed ones first. A team that merely
 * added the email address is included once the user has verified it.
 * @param restrictedToTeam the session's restricting team; it needs no verification
 */
export async function teamsOf(
  tx: Transaction,
  userId: UserId,
  restrictedToTeam: TeamId | null,
): Promise<{ team: Organization; role: string }[]> {
  const entered = restrictedToTeam
    ? eq(memberships.organizationId, restrictedToTeam)
    : and(or(eq(memberships.confirmed, true), isNotNull(users.emailVerifiedAt)), sql`NOT ${isBlockedHere}`)
  const listed = tx
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.userId, userId), eq(memberships.status, 'active'), entered))
    .orderBy(desc(sql.raw(isConfirmed('memberships', 'users'))), desc(memberships.createdAt), desc(memberships.id))
    .limit(MAX_LISTED)
  return tx
    .select({ team: organizations, role: memberships.role })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(inArray(memberships.id, listed))
    .orderBy(asc(organizations.name), asc(organizations.id))
}

const MAX_LISTED = 1_000

const isBlockedHere = sql`EXISTS (SELECT 1 FROM ${blockedTeams} b WHERE b.user_id = ${memberships.userId} AND b.organization_id = ${memberships.organizationId})`

const lockTeams = namedQuery<{ id: TeamId }, [UserId]>(
  'members.lock_teams_of',
  `SELECT o.id FROM organizations o WHERE o.id IN (SELECT organization_id FROM memberships WHERE user_id = $1) ORDER BY o.id FOR NO KEY UPDATE`,
)

/** Locks all teams of the user before the account is deleted: no member can join, leave or be demoted. Runs in the caller's transaction. */
export async function lockTeamsOf(tx: Transaction, userId: UserId): Promise<TeamId[]> {
  return (await tx.run(lockTeams, [userId])).map(({ id }) => id)
}

/** Returns the teams in which the user is the only member. */
export async function teamsOnlyOf(tx: Transaction, userId: UserId): Promise<TeamId[]> {
  const rows = await tx
    .select({ id: memberships.organizationId })
    .from(memberships)
    .where(
      sql`${memberships.userId} = ${userId} AND NOT EXISTS (
        SELECT 1 FROM ${memberships} other WHERE other.organization_id = ${memberships.organizationId} AND other.user_id <> ${userId})`,
    )
  return rows.map(({ id }) => id)
}

const confirmedIn = namedQuery<{ id: TeamId }, [UserId, TeamId | null]>(
  'members.confirmed_somewhere',
  `SELECT m.organization_id AS id FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE m.user_id = $1 AND ($2::uuid IS NULL OR m.organization_id <> $2) AND ${isConfirmed('m', 'u')} LIMIT 1`,
)

/** Returns whether the user has a confirmed membership. Runs in the caller's transaction. */
export const isConfirmedSomewhere = async (tx: Transaction, userId: UserId): Promise<boolean> =>
  (await tx.run(confirmedIn, [userId, null])).length > 0

/** Returns whether the user has a confirmed membership in another team. Runs in the caller's transaction. */
export const isConfirmedElsewhere = async (tx: Transaction, userId: UserId, teamId: TeamId): Promise<boolean> =>
  (await tx.run(confirmedIn, [userId, teamId])).length > 0

const confirmedHere = namedQuery<{ id: TeamId }, [UserId, TeamId]>(
  'members.confirmed_here',
  `SELECT m.organization_id AS id FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE m.user_id = $1 AND m.organization_id = $2 AND ${isConfirmed('m', 'u')}`,
)

/** Returns whether the user's membership in the team is confirmed. Runs in the caller's transaction. */
export const isConfirmedIn = async (tx: Transaction, userId: UserId, teamId: TeamId): Promise<boolean> =>
  (await tx.run(confirmedHere, [userId, teamId])).length > 0

/** Returns whether another team has a membership of any kind in the account. Runs in the caller's transaction. */
export async function belongsElsewhere(tx: Transaction, userId: UserId, teamId: TeamId): Promise<boolean> {
  const [row] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), ne(memberships.organizationId, teamId)))
    .limit(1)
  return row !== undefined
}

/** Updates a membership. Runs in the caller's transaction. @throws external_id_taken */
export async function updateMembership(
  tx: Transaction,
  { id }: Pick<Membership, 'id'>,
  change: Partial<Membership>,
): Promise<void> {
  await tx.update(memberships).set(change).where(eq(memberships.id, id)).catch(rejectTakenExternalId)
}

/** Deletes a membership, with its groups and applications. Runs in the caller's transaction. */
export async function deleteMembership(tx: Transaction, { id }: Pick<Membership, 'id'>): Promise<void> {
  await tx.delete(memberships).where(eq(memberships.id, id))
}

/** A membership as the deletion of its account sees it. */
export interface OwnMembership {
  teamId: TeamId
  role: string
  /** The user confirmed it by an act. */
  confirmed: boolean
  /** The only membership of the team. */
  isOnly: boolean
  /** No session ever used the team, so the user created nothing in it. */
  isUnused: boolean
}

const ofAccount = namedQuery<OwnMembership, [UserId]>(
  'members.of_account',
  `SELECT m.organization_id AS "teamId", m.role, m.counts AS confirmed, NOT m.counts AND m.last_used_at IS NULL AS "isUnused",
     NOT EXISTS (SELECT FROM memberships other WHERE other.organization_id = m.organization_id AND other.user_id <> $1) AS "isOnly"
   FROM memberships m WHERE m.user_id = $1 ORDER BY m.organization_id`,
)

/** Returns all memberships of the account. Runs in the caller's transaction, which has locked the account and its teams. */
export const ownMemberships = (tx: Transaction, userId: UserId): Promise<OwnMembership[]> => tx.run(ofAccount, [userId])

const deleteUnused = namedQuery<never, [UserId, TeamId[]]>(
  'members.delete_unused',
  `DELETE FROM memberships WHERE user_id = $1 AND organization_id = ANY($2::uuid[]) AND NOT counts AND last_used_at IS NULL`,
)

/** Deletes memberships that no session ever used, at once: any number of teams can add an account. Runs in the caller's transaction. */
export async function deleteUnusedMemberships(tx: Transaction, userId: UserId, teamIds: TeamId[]): Promise<void> {
  if (teamIds.length > 0) await tx.run(deleteUnused, [userId, teamIds])
}

/** Tables whose rows can grant access, act or decide in a team. */
const TRUST_RELEVANT_TABLES = [
  'api_tokens',
  'scim_tokens',
  'sso_providers',
  'directories',
  'applications',
  'team_domains',
  'policies',
  'password_policies',
]

const setAside = namedQuery<{ teamId: TeamId }, [UserId]>(
  'members.set_aside_shared',
  `UPDATE memberships mine SET counts = false, last_unrestricted_use_at = NULL FROM organizations o
   WHERE mine.user_id = $1 AND mine.counts AND o.id = mine.organization_id
     AND (o.allowed_domains <> '{}'
       OR EXISTS (SELECT 1 FROM memberships other WHERE other.organization_id = o.id AND other.user_id <> $1)
       ${TRUST_RELEVANT_TABLES.map((table) => `OR EXISTS (SELECT 1 FROM ${table} t WHERE t.organization_id = o.id)`).join(' ')}
       OR EXISTS (SELECT 1 FROM invitations i WHERE i.organization_id = o.id AND i.status = 'PENDING'))
   RETURNING mine.organization_id AS "teamId"`,
)

/**
 * Makes the user's memberships unconfirmed in every team in which a third party may have left something that grants access, acts or
 * decides: members, invitations, tokens, providers, a directory, applications, email domains or policies. Runs in the caller's
 * transaction.
 * @returns the teams
 */
export async function unconfirmSharedTeams(tx: Transaction, userId: UserId): Promise<TeamId[]> {
  return (await tx.run(setAside, [userId])).map(({ teamId }) => teamId)
}

const clearPlanted = namedQuery<never, [UserId, Date]>(
  'members.clear_planted',
  `UPDATE memberships SET first_name = NULL, last_name = NULL, department = NULL, title = NULL, phone = NULL, locale = NULL, external_id = NULL,
     leave_at = NULL, leave_permissions = NULL, leave_set_by = NULL, leave_set_epoch = NULL, leave_temporary_set_by = NULL, passwords_since = NULL, updated_at = $2
   WHERE user_id = $1 AND counts`,
)

/**
 * Empties what was written into the user's confirmed memberships: the profile, and the leave date and lock-down, which would take effect later.
 * Runs in the caller's transaction, before `unconfirmSharedTeams`, because the user can keep those teams.
 */
export async function clearMemberships(tx: Transaction, clock: Clock, userId: UserId): Promise<void> {
  await tx.run(clearPlanted, [userId, clock.now()])
}

const dropUnconfirmedOnes = namedQuery<{ teamId: TeamId }, [UserId, string]>(
  'members.delete_unconfirmed',
  `DELETE FROM memberships m USING users u WHERE u.id = m.user_id AND m.user_id = $1 AND NOT m.counts
     AND NOT (u.email_verified_at IS NOT NULL AND ${isHomeTeam('m.organization_id', 'u.email')}) AND NOT ${isHomeTeam('m.organization_id', '$2')}
   RETURNING m.organization_id AS "teamId"`,
)

/**
 * Removes the user's unconfirmed memberships before the email address changes: those teams intended the owner of the current address.
 * Exempt are the home team of the new address, and that of the current one if it is verified. Runs in the caller's transaction.
 * @param to the new email address
 * @returns the teams
 */
export async function deleteUnconfirmedMemberships(tx: Transaction, userId: UserId, to: string): Promise<TeamId[]> {
  return (await tx.run(dropUnconfirmedOnes, [userId, to])).map(({ teamId }) => teamId)
}
