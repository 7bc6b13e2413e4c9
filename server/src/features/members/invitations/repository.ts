import { and, type Column, eq, gt, inArray, isNotNull, lte, not, type SQL, sql } from 'drizzle-orm'
import { type Clock, DAY, fromNow } from '../../../platform/clock.js'
import { randomToken, uuidv7 } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { type InvitationId, type OriginId, parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import type { Audit, TeamSubject } from '../../audit/index.js'
import { isColumnSetByMember } from '../delegation/setter-authority.js'
import { invitations } from '../tables.js'

export type Invitation = typeof invitations.$inferSelect

/** Validity of an invitation. */
export const INVITATION_LIFETIME = 7 * DAY

export const INVITATION_STATUSES = ['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED'] as const
export type InvitationStatus = (typeof INVITATION_STATUSES)[number]

/** Returns the shown status: EXPIRED is derived from the time and not stored. */
export const statusOf = (
  { status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>,
  now: Date,
): InvitationStatus => (status === 'PENDING' && expiresAt <= now ? 'EXPIRED' : status)

/**
 * Inserts an invitation with a token of 256 bits, of which the hash is stored. Runs in the caller's transaction, which has locked the
 * team.
 */
export async function insertInvitation(
  tx: Transaction,
  clock: Clock,
  values: { organizationId: TeamId; email: string; role: string; invitedBy: UserId; temporarySetBy: OriginId | null },
): Promise<{ invitation: Invitation; token: string }> {
  const token = randomToken()
  const now = clock.now()
  const [invitation] = await tx
    .insert(invitations)
    .values({
      ...values,
      id: uuidv7<InvitationId>(clock),
      status: 'PENDING',
      tokenHash: tokenHash(token),
      expiresAt: new Date(now.getTime() + INVITATION_LIFETIME),
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  return { invitation: invitation as Invitation, token }
}

/** The pending invitation of an email address, expired or not; there is at most one. */
const pendingOf = (teamId: TeamId, email: string): SQL | undefined =>
  and(eq(invitations.organizationId, teamId), eq(invitations.email, email), eq(invitations.status, 'PENDING'))

/** Deletes the pending invitation of the address, to be replaced. Runs in the caller's transaction, which has locked the team. */
export async function removePending(
  tx: Transaction,
  teamId: TeamId,
  email: string,
): Promise<Pick<Invitation, 'id' | 'role'> | undefined> {
  const [row] = await tx
    .delete(invitations)
    .where(pendingOf(teamId, email))
    .returning({ id: invitations.id, role: invitations.role })
  return row
}

/** Returns whether an invitation of the email address is pending, expired or not. Runs in the caller's transaction. */
export async function hasPendingInvitation(tx: Transaction, teamId: TeamId, email: string): Promise<boolean> {
  return (await tx.select({ id: invitations.id }).from(invitations).where(pendingOf(teamId, email))).length > 0
}

/**
 * Revokes a pending invitation, with an audit entry, when its email address joins or leaves the team by other means: its link must not
 * grant access again with an outdated role. Runs in the caller's transaction.
 */
export async function closeInvitations(
  tx: Transaction,
  { clock, audit }: { clock: Clock; audit: Audit },
  by: TeamSubject,
  email: string,
): Promise<void> {
  const [closed] = await tx
    .update(invitations)
    .set({ status: 'REVOKED', updatedAt: clock.now() })
    .where(pendingOf(by.teamId, email))
    .returning({ id: invitations.id, role: invitations.role })
  if (!closed) return
  const { id, role } = closed
  await audit.record(tx, by, 'invitation.revoked', { resource: `invitation:${id}`, metadata: { email, role } })
}

/** Maximum of concurrently valid links of one invitation; the oldest is revoked first. */
const VALID_LINKS = 5

/**
 * Adds a link to a locked invitation and renews its full validity; earlier links stay valid, except those of an expired invitation. Returns
 * the token of the link. Runs in the caller's transaction.
 */
export async function addInvitationLink(
  tx: Transaction,
  clock: Clock,
  id: InvitationId,
  { invitedBy, temporarySetBy }: { invitedBy: UserId; temporarySetBy: OriginId | null },
): Promise<{ invitation: Invitation; token: string }> {
  const token = randomToken()
  const now = clock.now()
  const { tokenHash: newest, earlierTokenHashes: earlier, expiresAt } = invitations
  const [invitation] = await tx
    .update(invitations)
    .set({
      tokenHash: tokenHash(token),
      earlierTokenHashes: sql`CASE WHEN ${expiresAt} > ${now.toISOString()} THEN (${newest} || ${earlier})[1:${sql.raw(String(VALID_LINKS - 1))}] ELSE '{}' END`,
      invitedBy,
      temporarySetBy,
      expiresAt: fromNow(clock, INVITATION_LIFETIME),
      updatedAt: now,
    })
    .where(eq(invitations.id, id))
    .returning()
  return { invitation: invitation as Invitation, token }
}

/**
 * Revokes the pending invitations that the user sent, or those of a team. Runs in the caller's transaction.
 * @param of `temporary`: only those created in sessions of a temporary password, or of a team's password that one of these members set;
 *   `unless`: condition on the creation time of those to leave
 * @returns the revoked invitations
 */
export async function revokePending(
  tx: Transaction,
  clock: Clock,
  of:
    | {
        inviter: UserId
        team?: TeamId
        temporary?: 'anyone' | { teamId: TeamId; origins: OriginId[] }
        unless?: (at: Column) => SQL
      }
    | { team: TeamId },
): Promise<Pick<Invitation, 'id' | 'organizationId'>[]> {
  const { organizationId, temporarySetBy } = invitations
  const selected =
    'inviter' in of
      ? and(
          eq(invitations.invitedBy, of.inviter),
          of.team && eq(organizationId, of.team),
          of.temporary && isNotNull(temporarySetBy),
          of.unless && not(of.unless(invitations.createdAt)),
          of.temporary === 'anyone' ? isColumnSetByMember(temporarySetBy) : undefined,
          of.temporary && of.temporary !== 'anyone'
            ? and(eq(organizationId, of.temporary.teamId), inArray(temporarySetBy, of.temporary.origins))
            : undefined,
        )
      : eq(organizationId, of.team)
  return tx
    .update(invitations)
    .set({ status: 'REVOKED', updatedAt: clock.now() })
    .where(and(selected, eq(invitations.status, 'PENDING')))
    .returning({ id: invitations.id, organizationId: invitations.organizationId })
}

/** Returns the invitation, locked; undefined if the ID is malformed, unknown, or belongs to another team. */
export async function lockInvitation(tx: Transaction, teamId: TeamId, id: string): Promise<Invitation | undefined> {
  const known = parseId<InvitationId>(id)
  if (!known) return undefined
  const one = and(eq(invitations.id, known), eq(invitations.organizationId, teamId))
  return (await tx.select().from(invitations).where(one).for('no key update'))[0]
}

/** Updates a locked invitation. Runs in the caller's transaction. */
export async function updateInvitation(
  tx: Transaction,
  clock: Clock,
  id: InvitationId,
  change: Partial<Pick<Invitation, 'status' | 'acceptedBy'>>,
): Promise<void> {
  await tx
    .update(invitations)
    .set({ ...change, updatedAt: clock.now() })
    .where(eq(invitations.id, id))
}

const listed = (teamId: TeamId, status: InvitationStatus | undefined, now: Date): SQL | undefined => {
  const ofTeam = eq(invitations.organizationId, teamId)
  if (status !== 'PENDING' && status !== 'EXPIRED') return and(ofTeam, status && eq(invitations.status, status))
  const pending = and(ofTeam, eq(invitations.status, 'PENDING'))
  return and(pending, status === 'EXPIRED' ? lte(invitations.expiresAt, now) : gt(invitations.expiresAt, now))
}

/** Returns one page of a team's invitations, newest first. */
export async function pageOfInvitations(
  tx: Transaction,
  teamId: TeamId,
  status: InvitationStatus | undefined,
  now: Date,
  { limit, page }: { limit: number; page: number },
): Promise<{ rows: Invitation[]; total: number }> {
  const wanted = listed(teamId, status, now)
  const rows = await tx
    .select()
    .from(invitations)
    .where(wanted)
    .orderBy(sql`${invitations.createdAt} DESC, ${invitations.id} DESC`)
    .limit(limit)
    .offset((page - 1) * limit)
  const [count] = await tx.select({ total: sql<number>`count(*)::int` }).from(invitations).where(wanted)
  return { rows, total: count?.total ?? 0 }
}
