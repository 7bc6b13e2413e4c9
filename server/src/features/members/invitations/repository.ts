import { and, type Column, eq, inArray, isNotNull, not, type SQL, sql } from 'drizzle-orm'
import { type Clock, DAY, fromNow } from '../../../platform/clock.js'
import { randomToken, uuidv7 } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { type InvitationId, parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import { isHomeTeam } from '../../teams/index.js'
import { showsOwnProfile } from '../confirmed.js'
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
  values: { organizationId: TeamId; email: string; role: string; invitedBy: UserId; temporarySetBy: UserId | null },
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

/** Deletes the pending invitation of the address, to be replaced. Runs in the caller's transaction, which has locked the team. */
export async function removePending(
  tx: Transaction,
  teamId: TeamId,
  email: string,
): Promise<Pick<Invitation, 'id' | 'role'> | undefined> {
  const [row] = await tx
    .delete(invitations)
    .where(and(eq(invitations.organizationId, teamId), eq(invitations.email, email), eq(invitations.status, 'PENDING')))
    .returning({ id: invitations.id, role: invitations.role })
  return row
}

/** Returns whether an invitation of the email address is pending, expired or not. Runs in the caller's transaction. */
export async function hasPendingInvitation(tx: Transaction, teamId: TeamId, email: string): Promise<boolean> {
  const pending = and(
    eq(invitations.organizationId, teamId),
    eq(invitations.email, email),
    eq(invitations.status, 'PENDING'),
  )
  return (await tx.select({ id: invitations.id }).from(invitations).where(pending).limit(1)).length > 0
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
  { invitedBy, temporarySetBy }: { invitedBy: UserId; temporarySetBy: UserId | null },
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
        temporary?: 'anyone' | { teamId: TeamId; setBy: UserId[] }
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
          of.temporary === 'anyone'
            ? sql`NOT EXISTS (SELECT FROM sign_in_editors se WHERE se.id = ${temporarySetBy})`
            : undefined,
          of.temporary && of.temporary !== 'anyone'
            ? and(eq(organizationId, of.temporary.teamId), inArray(temporarySetBy, of.temporary.setBy))
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
): Promise<Invitation> {
  const [row] = await tx
    .update(invitations)
    .set({ ...change, updatedAt: clock.now() })
    .where(eq(invitations.id, id))
    .returning()
  return row as Invitation
}

/** A pending invitation with its team and its inviter's current role. */
export interface PendingInvitation {
  id: InvitationId
  email: string
  role: string
  expiresAt: Date
  /** Time of the last mail. */
  sentAt: Date
  team: { id: TeamId; name: string; slug: string; logoUrl: string | null; primaryColor: string | null; status: string }
  /** Null if the account was deleted; without the email address while it is unverified. */
  inviter: { email: string | null; name: string | null; role: string | null } | null
}

interface WaitingRow {
  id: InvitationId
  email: string
  role: string
  expires_at: Date
  updated_at: Date
  team: PendingInvitation['team']
  has_inviter: boolean
  inviter_email: string | null
  inviter_name: string | null
  inviter_role: string | null
}

const HAS_TOKEN = '(i.token_hash = $1 OR i.earlier_token_hashes @> ARRAY[$1]::bytea[])'

const findPending = namedQuery<WaitingRow, [Buffer, Date]>(
  'invitations.find_waiting',
  `SELECT i.id, i.email, i.role, i.expires_at, i.updated_at,
     jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'logoUrl', o.logo_url, 'primaryColor', o.primary_color, 'status', o.status) AS team,
     u.id IS NOT NULL AS has_inviter, CASE WHEN u.email_verified_at IS NOT NULL OR ${isHomeTeam('i.organization_id', 'u.email')} THEN u.email END AS inviter_email,
     nullif(concat_ws(' ', coalesce(m.first_name, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.first_name END), coalesce(m.last_name, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.last_name END)), '') AS inviter_name,
     CASE WHEN u.status = 'active' AND m.status = 'active' THEN m.role END AS inviter_role
   FROM invitations i
   JOIN organizations o ON o.id = i.organization_id
   LEFT JOIN users u ON u.id = i.invited_by
   LEFT JOIN memberships m ON m.user_id = i.invited_by AND m.organization_id = i.organization_id
   WHERE ${HAS_TOKEN} AND i.status = 'PENDING' AND i.expires_at > $2`,
)

/** Returns the pending, unexpired invitation with this token. */
export async function findPendingInvitation(
  tx: Transaction,
  clock: Clock,
  token: string,
): Promise<PendingInvitation | undefined> {
  const [row] = await tx.run(findPending, [tokenHash(token), clock.now()])
  return (
    row && {
      id: row.id,
      email: row.email,
      role: row.role,
      expiresAt: row.expires_at,
      sentAt: row.updated_at,
      team: row.team,
      inviter: row.has_inviter ? { email: row.inviter_email, name: row.inviter_name, role: row.inviter_role } : null,
    }
  )
}

const lockByTokenHash = namedQuery<{ organization_id: TeamId; invited_by: UserId | null }, [Buffer]>(
  'invitations.lock_waiting',
  `SELECT i.organization_id, i.invited_by FROM invitations i WHERE ${HAS_TOKEN} FOR NO KEY UPDATE`,
)
const lockInviterRole = namedQuery<never, [TeamId, UserId]>(
  'invitations.lock_inviter',
  'SELECT role FROM memberships WHERE organization_id = $1 AND user_id = $2 FOR SHARE',
)

/** Locks the invitation and the inviter's role until the transaction ends. Runs in the caller's transaction, which has locked the team. */
export async function lockInvitationByToken(tx: Transaction, token: string): Promise<void> {
  const [row] = await tx.run(lockByTokenHash, [tokenHash(token)])
  if (row?.invited_by) await tx.run(lockInviterRole, [row.organization_id, row.invited_by])
}

type Page = { limit: number; page: number }

const listed = (teamId: TeamId, status: InvitationStatus | undefined, now: Date) => {
  const ofTeam = eq(invitations.organizationId, teamId)
  if (status === undefined) return ofTeam
  if (status === 'EXPIRED')
    return and(ofTeam, eq(invitations.status, 'PENDING'), sql`${invitations.expiresAt} <= ${now.toISOString()}`)
  if (status === 'PENDING')
    return and(ofTeam, eq(invitations.status, 'PENDING'), sql`${invitations.expiresAt} > ${now.toISOString()}`)
  return and(ofTeam, eq(invitations.status, status))
}

/** Returns one page of a team's invitations, newest first. */
export async function pageOfInvitations(
  tx: Transaction,
  teamId: TeamId,
  status: InvitationStatus | undefined,
  now: Date,
  { limit, page }: Page,
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
