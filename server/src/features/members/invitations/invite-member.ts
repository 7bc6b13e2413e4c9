import type { Transaction } from '../../../platform/db/database.js'
import { invalidAccessToken, retryLater } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { UserId } from '../../../platform/ids.js'
import { causeOf } from '../../../platform/mail/mailer.js'
import { quotedTeam } from '../../../platform/mail/quoted-team.js'
import { requireRoleWithin } from '../../permissions/index.js'
import { lockOrganization, type Organization } from '../../teams/index.js'
import { lockUser, normalizeEmail } from '../../users/index.js'
import type { MemberDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { memberByEmail, rejectFull } from '../repository.js'
import { seatsOf } from '../team-seats.js'
import { verifiedSenderEmail } from '../verified-sender.js'
import { invitationMail } from './mails.js'
import { type Invitation, insertInvitation, removePending } from './repository.js'

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
 * Locks the account of the inviter, and the team. Runs in the caller's transaction.
 * @returns the team, and the member who set the temporary password of the inviter's session, if any
 * @throws invalid_access_token, organization_not_found
 */
export async function lockInviter(
  tx: Transaction,
  { clock, requireActiveActor }: MemberDeps,
  actor: Actor,
): Promise<{ team: Organization; temporarySetBy: UserId | null }> {
  // The account may have been deleted since the request was authenticated.
  if (!(await lockUser(tx, actor.userId))) throw invalidAccessToken()
  const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
  return { team: await lockOrganization(tx, actor.teamId), temporarySetBy }
}

/** Verifies that the address may be invited now. Runs in the caller's transaction. @throws already_a_member, limit_reached, rate_limited */
export async function admitAddress(
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
export async function mailInvitation(
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
