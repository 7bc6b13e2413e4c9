import { and, type Column, eq, inArray, isNotNull, not, type SQL, sql } from 'drizzle-orm'
import { type Clock, DAY, fromNow } from '../../platform/clock.js'
import { randomToken, uuidv7 } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { type InvitationId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { isHomeTeam } from '../teams/index.js'
import { showsOwn } from './confirmed.js'
import { invitations } from './tables.js'

export type Invitation = typeof invitations.$inferSelect

/** How long an invitation waits. */
export const INVITATION_LIFE = 7 * DAY

export const INVITATION_STATUSES = ['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED'] as const
export type InvitationStatus = (typeof INVITATION_STATUSES)[number]

/** The state as it is shown: one that waited too long is EXPIRED, which is stored nowhere. */
export const statusOf = (
  { status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>,
  now: Date,
): InvitationStatus => (status === 'PENDING' && expiresAt <= now ? 'EXPIRED' : status)

/** A step, on a locked team: makes the invitation with a token of 256 bits, of which the hash is stored. */
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
      expiresAt: new Date(now.getTime() + INVITATION_LIFE),
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  return { invitation: invitation as Invitation, token }
}

/** A step, on a locked team: takes away the invitation of the address that waits, for another one takes its place. */
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

/** As many links of one invitation are valid at once; the oldest one ends first. */
const VALID_LINKS = 5

/**
 * Adds a link to a locked invitation, which is valid for its full time again and whose earlier links stay valid. Links of an invitation
 * that has expired do not become valid again. Returns the token of the link. Runs in the caller's transaction.
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
      expiresAt: fromNow(clock, INVITATION_LIFE),
      updatedAt: now,
    })
    .where(eq(invitations.id, id))
    .returning()
  return { invitation: invitation as Invitation, token }
}

/**
 * Revokes the pending invitations that the user sent, or those of a team. Runs in the caller's transaction.
 * @param of `temporary`: only those of sessions that a temporary password started, or one of a team that these members set; `unless`: a
 * condition on when one was created, for those that stay
 * @returns which they were
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
  const them =
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
    .where(and(them, eq(invitations.status, 'PENDING')))
    .returning({ id: invitations.id, organizationId: invitations.organizationId })
}

/** The invitation, locked; undefined for an unknown id, for one of another team, and for a text that is none alike. */
export async function lockInvitation(tx: Transaction, teamId: TeamId, id: string): Promise<Invitation | undefined> {
  const known = parseId<InvitationId>(id)
  if (!known) return undefined
  const one = and(eq(invitations.id, known), eq(invitations.organizationId, teamId))
  return (await tx.select().from(invitations).where(one).for('no key update'))[0]
}

/** A step: writes a locked invitation. */
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

/** What a waiting invitation hangs on: its team, and whether who asked may still grant the role. */
export interface WaitingInvitation {
  id: InvitationId
  email: string
  role: string
  expiresAt: Date
  /** When it was last mailed. */
  sentAt: Date
  team: { id: TeamId; name: string; slug: string; logoUrl: string | null; primaryColor: string | null; status: string }
  /** Null when that account is gone; without the email address while that is unverified. */
  inviter: { email: string | null; name: string | null; role: string | null } | null
}

interface WaitingRow {
  id: InvitationId
  email: string
  role: string
  expires_at: Date
  updated_at: Date
  team: WaitingInvitation['team']
  has_inviter: boolean
  inviter_email: string | null
  inviter_name: string | null
  inviter_role: string | null
}

const HAS_TOKEN = '(i.token_hash = $1 OR i.earlier_token_hashes @> ARRAY[$1]::bytea[])'

const findWaiting = namedQuery<WaitingRow, [Buffer, Date]>(
  'invitations.find_waiting',
  `SELECT i.id, i.email, i.role, i.expires_at, i.updated_at,
     jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'logoUrl', o.logo_url, 'primaryColor', o.primary_color, 'status', o.status) AS team,
     u.id IS NOT NULL AS has_inviter, CASE WHEN u.email_verified_at IS NOT NULL OR ${isHomeTeam('i.organization_id', 'u.email')} THEN u.email END AS inviter_email,
     nullif(concat_ws(' ', coalesce(m.first_name, CASE WHEN ${showsOwn('m', 'u')} THEN u.first_name END), coalesce(m.last_name, CASE WHEN ${showsOwn('m', 'u')} THEN u.last_name END)), '') AS inviter_name,
     CASE WHEN u.status = 'active' AND m.status = 'active' THEN m.role END AS inviter_role
   FROM invitations i
   JOIN organizations o ON o.id = i.organization_id
   LEFT JOIN users u ON u.id = i.invited_by
   LEFT JOIN memberships m ON m.user_id = i.invited_by AND m.organization_id = i.organization_id
   WHERE ${HAS_TOKEN} AND i.status = 'PENDING' AND i.expires_at > $2`,
)

/** The invitation with this token, while it waits. */
export async function findWaitingInvitation(
  tx: Transaction,
  clock: Clock,
  token: string,
): Promise<WaitingInvitation | undefined> {
  const [row] = await tx.run(findWaiting, [tokenHash(token), clock.now()])
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

const lockWaiting = namedQuery<{ organization_id: TeamId; invited_by: UserId | null }, [Buffer]>(
  'invitations.lock_waiting',
  `SELECT i.organization_id, i.invited_by FROM invitations i WHERE ${HAS_TOKEN} FOR NO KEY UPDATE`,
)
const lockInviterRole = namedQuery<never, [TeamId, UserId]>(
  'invitations.lock_inviter',
  'SELECT role FROM memberships WHERE organization_id = $1 AND user_id = $2 FOR SHARE',
)

/** A step, on a locked team: keeps the invitation, and the role of who asked, as they are until the transaction ends. */
export async function lockByToken(tx: Transaction, token: string): Promise<void> {
  const [row] = await tx.run(lockWaiting, [tokenHash(token)])
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

/** One page of a team's invitations, newest first. */
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
