import type { Actor } from '../../../platform/http/actor.js'
import { requireRoleWithin } from '../../permissions/index.js'
import type { MemberDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { admitAddress, lockInviter, mailInvitation } from './invite-member.js'
import { addInvitationLink, type Invitation, lockInvitation } from './repository.js'

/**
 * Resends an invitation with a new link, valid for seven more days; up to five earlier links stay valid. The caller becomes the inviter,
 * whose permissions the invitation depends on.
 * @throws invitation_not_found, invitation_closed, role_protected, already_a_member, limit_reached, rate_limited
 */
export function resendInvitation(deps: MemberDeps, actor: Actor, id: string): Promise<Invitation> {
  const { db, clock, audit } = deps
  return db.transaction(async (tx) => {
    const { team, temporarySetBy } = await lockInviter(tx, deps, actor)
    const before = await lockInvitation(tx, team.id, id)
    if (!before) throw rejection('invitation_not_found')
    if (before.status !== 'PENDING') throw rejection('invitation_closed')
    requireRoleWithin(actor, before.role)
    await admitAddress(tx, deps, actor, team, before.email)
    const { invitation, token } = await addInvitationLink(tx, clock, before.id, {
      invitedBy: actor.userId,
      temporarySetBy,
    })
    await mailInvitation(tx, deps, actor, invitation, token)
    await audit.record(tx, actor, 'invitation.resent', {
      resource: `invitation:${invitation.id}`,
      metadata: { email: invitation.email, role: invitation.role },
    })
    return invitation
  })
}
