import type { Transaction } from '../../../platform/db/database.js'
import { retryLater } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { OriginId } from '../../../platform/ids.js'
import { causeOf } from '../../../platform/mail/mailer.js'
import { quotedTeam } from '../../../platform/mail/quoted-team.js'
import { requireRoleWithin } from '../../permissions/index.js'
import { lockOrganization, type Organization } from '../../teams/index.js'
import { normalizeEmail } from '../../users/index.js'
import { originWithoutEditor } from '../delegation/joint-setters.js'
import type { MemberDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { lockActor } from '../lock-actor.js'
import { memberByEmail, verifiedSenderEmail } from '../member-addresses.js'
import { rejectFull, seatsOf } from '../team-seats.js'
import { invitationMail } from './mails.js'
import {
  addInvitationLink,
  type Invitation,
  type InvitationStatus,
  insertInvitation,
  lockInvitation,
  pageOfInvitations,
  removePending,
  updateInvitation,
} from './repository.js'

/** Returns one page of the team's invitations, newest first, optionally filtered by status. */
export const listInvitations = (
  { db, clock }: MemberDeps,
  actor: Actor,
  status: InvitationStatus | undefined,
  page: { limit: number; page: number },
): Promise<{ rows: Invitation[]; total: number }> =>
  db.transaction((tx) => pageOfInvitations(tx, actor.teamId, status, clock.now(), page))

/**
 * Invites a user by email. A second invitation of an address replaces the pending one and revokes its links. Beyond the daily limit of the
 * address nothing changes, so that delivered links stay valid.
 * @throws invalid_request, role_protected, already_a_member, limit_reached, rate_limited, organization_not_found
 */
export async function inviteMember(
  deps: MemberDeps,
  actor: Actor,
  wanted: { email: string; role: string },
): Promise<Invitation> {
  const { db, clock, audit } = deps
  const email = normalizeEmail(wanted.email)
  requireRoleWithin(actor, wanted.role)
  return db.transaction(async (tx) => {
    const { team, temporarySetBy } = await lockInviter(tx, deps, actor)
    await admitAddress(tx, deps, actor, team, email)
    const replaced = await removePending(tx, team.id, email)
    if (replaced) requireRoleWithin(actor, replaced.role)
    const { invitation, token } = await insertInvitation(tx, clock, {
      organizationId: team.id,
      email,
      role: wanted.role,
      invitedBy: actor.userId,
      temporarySetBy,
    })
    await mailInvitation(tx, deps, actor, invitation, token)
    await audit.record(tx, actor, 'member.invited', {
      resource: `invitation:${invitation.id}`,
      metadata: { email, role: invitation.role, ...(replaced && { replaced: replaced.id }) },
    })
    return invitation
  })
}

/**
 * Resends an invitation with a new link, valid for seven more days; up to five earlier links stay valid. The caller becomes the inviter,
 * whose permissions the invitation depends on.
 * @throws invitation_not_found, invitation_closed, role_protected, already_a_member, limit_reached, rate_limited
 */
export function resendInvitation(deps: MemberDeps, actor: Actor, id: string): Promise<Invitation> {
  const { db, clock, audit } = deps
  return db.transaction(async (tx) => {
    const { team, temporarySetBy } = await lockInviter(tx, deps, actor)
    const before = await lockPending(tx, actor, id)
    await admitAddress(tx, deps, actor, team, before.email)
    const inviter = { invitedBy: actor.userId, temporarySetBy }
    const { invitation, token } = await addInvitationLink(tx, clock, before.id, inviter)
    await mailInvitation(tx, deps, actor, invitation, token)
    await audit.record(tx, actor, 'invitation.resent', recordOf(invitation))
    return invitation
  })
}

/** Revokes an invitation and its links. @throws invitation_not_found, invitation_closed, role_protected */
export function revokeInvitation({ db, clock, audit }: MemberDeps, actor: Actor, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const invitation = await lockPending(tx, actor, id)
    await updateInvitation(tx, clock, invitation.id, { status: 'REVOKED' })
    await audit.record(tx, actor, 'invitation.revoked', recordOf(invitation))
  })
}

/**
 * Returns a pending invitation of the caller's team, locked, that the caller may change. Runs in the caller's transaction.
 * @throws invitation_not_found, invitation_closed, role_protected
 */
async function lockPending(tx: Transaction, actor: Actor, id: string): Promise<Invitation> {
  const invitation = await lockInvitation(tx, actor.teamId, id)
  if (!invitation) throw rejection('invitation_not_found')
  if (invitation.status !== 'PENDING') throw rejection('invitation_closed')
  requireRoleWithin(actor, invitation.role)
  return invitation
}

const recordOf = ({ id, email, role }: Pick<Invitation, 'id' | 'email' | 'role'>) => ({
  resource: `invitation:${id}`,
  metadata: { email, role },
})

/**
 * Locks the account of the inviter, and the team. Runs in the caller's transaction.
 * @returns the team, and the origin of the invitation: an invitation ends with the permissions of the members on whom the inviter's session or
 *   API token depends
 * @throws invalid_access_token, organization_not_found
 */
async function lockInviter(
  tx: Transaction,
  deps: MemberDeps,
  actor: Actor,
): Promise<{ team: Organization; temporarySetBy: OriginId | null }> {
  const { temporarySetBy: origin } = await lockActor(tx, deps, actor)
  const { via, teamId } = actor
  const temporarySetBy = via === 'session' ? origin : await originWithoutEditor(tx, deps.clock, teamId, origin)
  return { team: await lockOrganization(tx, teamId), temporarySetBy }
}

/** Verifies that the address may be invited now. Runs in the caller's transaction. @throws already_a_member, limit_reached, rate_limited */
async function admitAddress(
  tx: Transaction,
  { mailer }: MemberDeps,
  actor: Actor,
  team: Organization,
  email: string,
): Promise<void> {
  if (await memberByEmail(tx, team.id, email)) throw rejection('already_a_member')
  const seats = await seatsOf(tx, team.id)
  if (seats) rejectFull(seats)
  const wait = await mailer.secondsUntilAllowed(tx, invitationMail, email, causeOf(actor))
  if (wait > 0) throw retryLater('rate_limited', wait)
}

/** Sends the invitation with its link. Runs in the caller's transaction. */
async function mailInvitation(
  tx: Transaction,
  { mailer, config, verifiedDomains }: MemberDeps,
  actor: Actor,
  { email, role }: Invitation,
  token: string,
): Promise<void> {
  const { user, team, teamId } = actor
  const values = {
    url: `${config.frontendUrl}/invitations/${token}`,
    team: quotedTeam(team.name, await verifiedDomains.domainOfTeam(tx, teamId, email)),
    role,
    inviter: await verifiedSenderEmail(tx, teamId, user),
  }
  await mailer.send(tx, invitationMail, email, values, causeOf(actor))
}
