import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { MembershipId, TeamId, UserId } from '../../platform/ids.js'
import type { Role } from '../access/index.js'
import { type Organization, organizationRefusal, organizations } from '../organizations/index.js'
import { memberships } from './tables.js'

export type Membership = typeof memberships.$inferSelect

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

const teamsToOpen = namedQuery<OpenTeam, [UserId]>(
  'members.teams_to_open',
  `SELECT o.id, o.name, o.slug, o.status, m.role, m.first_name AS "firstName", m.last_name AS "lastName" FROM memberships m JOIN organizations o ON o.id = m.organization_id
   WHERE m.user_id = $1 AND m.status IN ('active', 'pending') ORDER BY m.last_used_at DESC NULLS LAST, m.created_at, m.id`,
)

const noteUse = namedQuery<never, [UserId, TeamId, Date]>(
  'members.note_use',
  `UPDATE memberships SET last_used_at = $3, status = 'active' WHERE user_id = $1 AND organization_id = $2 AND status IN ('active', 'pending')`,
)

/** The teams that the user may open, the one last used first, else the one joined first. */
export const openTeamsOf = (tx: Transaction, userId: UserId): Promise<OpenTeam[]> => tx.run(teamsToOpen, [userId])

/** Notes that a session of the user opened the team; a membership that was waiting for the first sign-in becomes active. */
export async function noteTeamUse(tx: Transaction, clock: Clock, userId: UserId, teamId: TeamId): Promise<void> {
  await tx.run(noteUse, [userId, teamId, clock.now()])
}

/**
 * Makes the user a member. The team's row is locked while its seats are counted, so that two who join at once do not both get
 * the last seat.
 * @throws limit_reached with the number of members and the limit
 */
export async function addMember(
  tx: Transaction,
  clock: Clock,
  member: { userId: UserId; teamId: TeamId; role: Role; counts: boolean; status?: Membership['status'] },
): Promise<MembershipId> {
  const [team] = await tx
    .select({ maxMembers: organizations.maxMembers })
    .from(organizations)
    .where(eq(organizations.id, member.teamId))
    .for('no key update')
  const [seats] = await tx
    .select({ taken: sql<number>`count(*)::int` })
    .from(memberships)
    .where(eq(memberships.organizationId, member.teamId))
  const taken = seats?.taken ?? 0
  if (!team || taken >= team.maxMembers)
    throw organizationRefusal('limit_reached', {
      detail: `The team has ${taken} members; its limit is ${team?.maxMembers ?? 0}`,
    })
  const id = uuidv7<MembershipId>(clock)
  const now = clock.now()
  await tx.insert(memberships).values({
    id,
    userId: member.userId,
    organizationId: member.teamId,
    role: member.role,
    status: member.status ?? 'active',
    counts: member.counts,
    createdAt: now,
    updatedAt: now,
  })
  return id
}

/** The teams of the user with their roles, by name. */
export async function teamsOf(tx: Transaction, userId: UserId): Promise<{ team: Organization; role: string }[]> {
  return tx
    .select({ team: organizations, role: memberships.role })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), eq(memberships.status, 'active')))
    .orderBy(asc(organizations.name), asc(organizations.id))
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

/** Whether a membership of the user in another team than `teamId` counts. */
export async function countsElsewhere(tx: Transaction, userId: UserId, teamId: TeamId): Promise<boolean> {
  const [row] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.counts, true), ne(memberships.organizationId, teamId)))
    .limit(1)
  return row !== undefined
}

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
