import { and, asc, eq, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { isUniqueViolation } from '../../platform/db/database-errors.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { type MembershipId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import type { Role } from '../access/index.js'
import { users } from '../identities/index.js'
import { type Organization, organizationRefusal, organizations } from '../organizations/index.js'
import { refusal } from './errors.js'
import { type Seats, seatsOf } from './seats-of.js'
import { memberships } from './tables.js'

export type Membership = typeof memberships.$inferSelect

/** What a team writes about a person. */
export type TeamProfile = Partial<
  Pick<Membership, 'firstName' | 'lastName' | 'department' | 'title' | 'phone' | 'locale'>
>

/** What a directory of the team writes about a person: also what it calls them, which nobody else in the team is called. */
export type DirectoryProfile = TeamProfile & Partial<Pick<Membership, 'externalId'>>

/** A team that a user may open, as sign-in needs it. */
export interface OpenTeam {
  id: TeamId
  name: string
  slug: string
  status: string
  role: string
  /** What the team writes about the user, before the user's own. */
  firstName: string | null
  lastName: string | null
}

const teamsToOpen = namedQuery<OpenTeam, [UserId, TeamId | null]>(
  'members.teams_to_open',
  `SELECT o.id, o.name, o.slug, o.status, m.role, m.first_name AS "firstName", m.last_name AS "lastName" FROM memberships m JOIN organizations o ON o.id = m.organization_id JOIN users u ON u.id = m.user_id
   WHERE m.user_id = $1 AND m.status IN ('active', 'pending') AND (m.counts OR u.email_verified_at IS NOT NULL OR m.organization_id = $2) ORDER BY m.last_used_at DESC NULLS LAST, m.created_at, m.id`,
)

const noteUse = namedQuery<never, [UserId, TeamId, Date, boolean]>(
  'members.note_use',
  `UPDATE memberships SET last_used_at = $3, status = 'active', counts = counts OR $4 WHERE user_id = $1 AND organization_id = $2 AND status IN ('active', 'pending')`,
)

/**
 * The teams that the user may open, the one last used first, else the one joined first. A team that merely added the address opens to
 * nobody who has not proven it: whoever registered the address first may be a stranger.
 * @param vouchedBy the team that vouches itself that this is the person whom it added
 */
export const openTeamsOf = (tx: Transaction, userId: UserId, vouchedBy: TeamId | null = null): Promise<OpenTeam[]> =>
  tx.run(teamsToOpen, [userId, vouchedBy])

/**
 * Notes that a session of the user opened the team; a membership that was waiting for the first sign-in becomes active.
 * @param byOwnProof whether the session is the user's own and not the team's: then they entered it, and the membership counts
 */
export async function noteTeamUse(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  teamId: TeamId,
  byOwnProof: boolean,
): Promise<void> {
  await tx.run(noteUse, [userId, teamId, clock.now(), byOwnProof])
}

/**
 * Makes the user a member. The team's row is locked while its seats are counted, so that two who join at once do not both get
 * the last seat.
 * @param counted the seats as `seatsOf` answered in this transaction, with who was added since: whoever adds many counts them once
 * @throws limit_reached with the number of members and the limit; external_id_taken
 */
export async function addMember(
  tx: Transaction,
  clock: Clock,
  member: {
    userId: UserId
    teamId: TeamId
    role: Role
    counts: boolean
    status?: Membership['status']
    profile?: DirectoryProfile
  },
  counted?: Seats,
): Promise<Membership> {
  const seats = counted ?? (await seatsOf(tx, member.teamId))
  if (!seats) throw organizationRefusal('organization_not_found')
  refuseFull(seats)
  const id = uuidv7<MembershipId>(clock)
  const now = clock.now()
  const [added] = await tx
    .insert(memberships)
    .values({
      id,
      userId: member.userId,
      organizationId: member.teamId,
      role: member.role,
      status: member.status ?? 'active',
      counts: member.counts,
      ...member.profile,
      tokensSince: now,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
    .catch(refuseTakenExternalId)
  if (!added) throw new Error('The membership was not written')
  return added
}

/** @throws external_id_taken in place of the violation */
function refuseTakenExternalId(error: unknown): never {
  throw isUniqueViolation(error, 'memberships_external_id') ? refusal('external_id_taken') : error
}

/** @throws limit_reached with the number of members and the limit */
export function refuseFull({ taken, limit }: Seats): void {
  if (taken >= limit)
    throw organizationRefusal('limit_reached', { detail: `The team has ${taken} members; its limit is ${limit}` })
}

/** Whether the address belongs to a member of the team, whatever its state. */
export async function isMemberByEmail(tx: Transaction, teamId: TeamId, email: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, teamId), eq(users.email, email)))
  return row !== undefined
}

/** The member with this membership id or user id, locked; undefined for any other text, and for a member of another team. */
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

/** A step: writes the role of a locked member. */
export async function writeRole(tx: Transaction, clock: Clock, id: MembershipId, role: string): Promise<Membership> {
  const [row] = await tx
    .update(memberships)
    .set({ role, updatedAt: clock.now() })
    .where(eq(memberships.id, id))
    .returning()
  return row as Membership
}

/** A member as a list shows them: what the team writes of them before what they write themselves. */
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
     coalesce(m.first_name, CASE WHEN m.counts THEN u.first_name END) AS "firstName", coalesce(m.last_name, CASE WHEN m.counts THEN u.last_name END) AS "lastName",
     m.created_at AS "createdAt", m.updated_at AS "updatedAt"
   FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1
   ORDER BY m.created_at DESC, m.id DESC LIMIT $2 OFFSET $3`,
)
const membersCount = namedQuery<{ count: number }, [TeamId]>(
  'members.count',
  'SELECT count(*)::int AS count FROM memberships WHERE organization_id = $1',
)

/** One page of the team's members, newest first. */
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
 * The teams of the user with their roles, by name; one that merely added the address only for whoever has proven it.
 * @param confinedTo the one team that the session opens, whose own word for the person is proof enough to itself
 */
export async function teamsOf(
  tx: Transaction,
  userId: UserId,
  confinedTo: TeamId | null,
): Promise<{ team: Organization; role: string }[]> {
  const entered = confinedTo
    ? eq(memberships.organizationId, confinedTo)
    : or(eq(memberships.counts, true), isNotNull(users.emailVerifiedAt))
  return tx
    .select({ team: organizations, role: memberships.role })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.userId, userId), eq(memberships.status, 'active'), entered))
    .orderBy(asc(organizations.name), asc(organizations.id))
}

const lockTeams = namedQuery<{ id: TeamId }, [UserId]>(
  'members.lock_teams_of',
  `SELECT o.id FROM organizations o WHERE o.id IN (SELECT organization_id FROM memberships WHERE user_id = $1) ORDER BY o.id FOR NO KEY UPDATE`,
)

/** A step, before the account goes: nobody joins, leaves or is demoted in any team of the user until the transaction ends. */
export async function lockTeamsOf(tx: Transaction, userId: UserId): Promise<TeamId[]> {
  return (await tx.run(lockTeams, [userId])).map(({ id }) => id)
}

/** The teams in which the user is the only member. */
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

/** Whether a membership of the user counts, in whatever team but `apartFrom`. */
async function counts(tx: Transaction, userId: UserId, apartFrom?: TeamId): Promise<boolean> {
  const elsewhere = apartFrom && ne(memberships.organizationId, apartFrom)
  const [row] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.counts, true), elsewhere))
    .limit(1)
  return row !== undefined
}

/** Whether a membership of the user counts anywhere. */
export const countsSomewhere = (tx: Transaction, userId: UserId): Promise<boolean> => counts(tx, userId)

/** Whether a membership of the user in another team than `teamId` counts. */
export const countsElsewhere = (tx: Transaction, userId: UserId, teamId: TeamId): Promise<boolean> =>
  counts(tx, userId, teamId)

/** Whether the user is the last who may administer a team that has other members. */
export async function isLastAdminSomewhere(tx: Transaction, userId: UserId): Promise<boolean> {
  const { rows } = await tx.execute(sql`SELECT 1 FROM ${memberships} mine
    WHERE mine.user_id = ${userId} AND mine.role IN ('OWNER', 'SUPER_ADMIN')
      AND EXISTS (SELECT 1 FROM ${memberships} other WHERE other.organization_id = mine.organization_id AND other.user_id <> ${userId})
      AND NOT EXISTS (SELECT 1 FROM ${memberships} other WHERE other.organization_id = mine.organization_id AND other.user_id <> ${userId}
        AND other.role IN ('OWNER', 'SUPER_ADMIN') AND other.status = 'active') LIMIT 1`)
  return rows.length > 0
}

/** Whether the user belongs to any team, in whatever state. */
export async function belongsSomewhere(tx: Transaction, userId: UserId): Promise<boolean> {
  const [row] = await tx.select({ id: memberships.id }).from(memberships).where(eq(memberships.userId, userId)).limit(1)
  return row !== undefined
}

/** A step: those of `userIds` that are members of the team, in whatever state, kept from being removed until the transaction ends. */
export async function lockMembers(tx: Transaction, teamId: TeamId, userIds: UserId[]): Promise<UserId[]> {
  const rows = await tx
    .select({ id: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.organizationId, teamId), sql`${memberships.userId} = ANY(${sql.param(userIds)}::uuid[])`))
    .orderBy(memberships.userId)
    .for('key share')
  return rows.map(({ id }) => id)
}

/** A step: whose membership of the team this id is, or who the user of the team with this id is; undefined for any other id. */
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

/** A step: writes what the team says of the user. @throws external_id_taken */
export async function updateMembership(
  tx: Transaction,
  { id }: Pick<Membership, 'id'>,
  change: Partial<Membership>,
): Promise<void> {
  await tx.update(memberships).set(change).where(eq(memberships.id, id)).catch(refuseTakenExternalId)
}

/** A step: the user leaves the team, and with it its groups and applications. */
export async function deleteMembership(tx: Transaction, { id }: Pick<Membership, 'id'>): Promise<void> {
  await tx.delete(memberships).where(eq(memberships.id, id))
}

const release = namedQuery<never, [TeamId, Date]>(
  'members.release_suspended',
  `UPDATE users u SET status = 'active', updated_at = $2 FROM memberships m
   WHERE m.organization_id = $1 AND m.counts AND m.user_id = u.id AND u.status = 'suspended'`,
)

/** A step, before the team goes: accounts that its directory has suspended altogether are their users' own again. */
export async function releaseSuspended(tx: Transaction, clock: Clock, teamId: TeamId): Promise<void> {
  await tx.run(release, [teamId, clock.now()])
}

const setAside = namedQuery<{ teamId: TeamId }, [UserId]>(
  'members.set_aside_shared',
  `UPDATE memberships mine SET counts = false, last_used_at = NULL WHERE mine.user_id = $1 AND mine.counts
     AND EXISTS (SELECT 1 FROM memberships other WHERE other.organization_id = mine.organization_id AND other.user_id <> $1)
   RETURNING mine.organization_id AS "teamId"`,
)

/**
 * A step: the user's memberships of teams with other people in them no longer count, and no such team is opened unasked. Answers
 * which they are.
 */
export async function setAsideShared(tx: Transaction, userId: UserId): Promise<TeamId[]> {
  return (await tx.run(setAside, [userId])).map(({ teamId }) => teamId)
}

/** A step: the memberships of the user that do not count go; answers whose they were. */
export async function dropUncounted(tx: Transaction, userId: UserId): Promise<TeamId[]> {
  const dropped = await tx
    .delete(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.counts, false)))
    .returning({ teamId: memberships.organizationId })
  return dropped.map(({ teamId }) => teamId)
}
