import { and, asc, desc, eq, inArray, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { isUniqueViolation } from '../../platform/db/database-errors.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { type MembershipId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { isHomeTeam, type Organization, organizations, teamError } from '../teams/index.js'
import { users } from '../users/index.js'
import { isConfirmed, showsOwnProfile } from './confirmed.js'
import { rejection } from './errors.js'
import { blockedTeams, memberships } from './tables.js'
import type { Seats } from './team-seats.js'

export type Membership = typeof memberships.$inferSelect

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

/** @throws limit_reached with the number of members and the limit */
export function rejectFull({ taken, limit }: Seats, more = 1): void {
  if (taken + more > limit)
    throw teamError('limit_reached', { detail: `The team has ${taken} members; its limit is ${limit}` })
}

/** Returns the member of the team with this email address, in any status. Runs in the caller's transaction. */
export async function memberByEmail(tx: Transaction, teamId: TeamId, email: string): Promise<UserId | undefined> {
  const [row] = await tx
    .select({ id: memberships.userId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, teamId), eq(users.email, email)))
  return row?.id
}

/** Returns the member with this membership or user ID, locked; undefined if it is malformed, unknown, or of another team. */
export async function lockMember(tx: Transaction, teamId: TeamId, id: string): Promise<Membership | undefined> {
  const known = parseId<string>(id)
  if (!known) return undefined
  const named = or(eq(memberships.id, known as MembershipId), eq(memberships.userId, known as UserId))
  const rows = await tx
    .select()
    .from(memberships)
    .where(and(eq(memberships.organizationId, teamId), named))
    .for('no key update')
  return rows[0]
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

/** A member as a list shows them: the team's values, with the own profile as fallback. */
export interface ListedMember {
  id: MembershipId
  userId: UserId
  organizationId: TeamId
  role: string
  status: Membership['status']
  email: string
  firstName: string | null
  lastName: string | null
  createdAt: Date
  updatedAt: Date
}

const membersPage = namedQuery<ListedMember, [TeamId, number, number]>(
  'members.page',
  `SELECT m.id, m.user_id AS "userId", m.organization_id AS "organizationId", m.role, m.status, u.email,
     coalesce(m.first_name, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.first_name END) AS "firstName", coalesce(m.last_name, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.last_name END) AS "lastName",
     m.created_at AS "createdAt", m.updated_at AS "updatedAt"
   FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1
   ORDER BY m.created_at DESC, m.id DESC LIMIT $2 OFFSET $3`,
)
const membersCount = namedQuery<{ count: number }, [TeamId]>(
  'members.count',
  'SELECT count(*)::int AS count FROM memberships WHERE organization_id = $1',
)

/** Returns one page of the team's members, newest first. */
export async function pageOfMembers(
  tx: Transaction,
  teamId: TeamId,
  { limit, page }: { limit: number; page: number },
): Promise<{ rows: ListedMember[]; total: number }> {
  const rows = await tx.run(membersPage, [teamId, limit, (page - 1) * limit])
  const [count] = await tx.run(membersCount, [teamId])
  return { rows, total: count?.count ?? 0 }
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

/** Returns whether the user has a membership, in any status. */
export async function belongsSomewhere(tx: Transaction, userId: UserId): Promise<boolean> {
  const [row] = await tx.select({ id: memberships.id }).from(memberships).where(eq(memberships.userId, userId)).limit(1)
  return row !== undefined
}

/** Returns whether another team has a membership of any kind in the account. Runs in the caller's transaction. */
export async function belongsElsewhere(tx: Transaction, userId: UserId, teamId: TeamId): Promise<boolean> {
  const [row] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), ne(memberships.organizationId, teamId)))
    .limit(1)
  return row !== undefined
}

/** Returns those of `userIds` that are members of the team, and prevents their removal. Runs in the caller's transaction. */
export async function lockMembers(tx: Transaction, teamId: TeamId, userIds: UserId[]): Promise<UserId[]> {
  const rows = await tx
    .select({ id: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.organizationId, teamId), sql`${memberships.userId} = ANY(${sql.param(userIds)}::uuid[])`))
    .orderBy(memberships.userId)
    .for('key share')
  return rows.map(({ id }) => id)
}

/** Returns the user with this membership ID or user ID in the team, if any. Runs in the caller's transaction. */
export async function memberOfEitherId(tx: Transaction, teamId: TeamId, id: string): Promise<UserId | undefined> {
  const [row] = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, teamId),
        or(eq(memberships.id, id as MembershipId), eq(memberships.userId, id as UserId)),
      ),
    )
  return row?.userId
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
