import { fromNow } from '../../platform/clock.js'
import { randomToken } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Actor } from '../../platform/http/actor.js'
import { requireRoleWithin } from '../access/index.js'
import type { MemberDeps } from './deps.js'
import { refusal } from './errors.js'
import { INVITATION_LIFE, type Invitation, lockInvitation, updateInvitation } from './invitation-repository.js'
import { admitAddress, lockInviter, mailInvitation } from './invite-member.js'

/**
 * Sends an invitation once more, with a new link and seven new days; the link before is dead. Who resends it vouches for it from
 * now on, in the place of whoever asked first.
 * @throws invitation_not_found, invitation_closed, role_protected, already_a_member, limit_reached, rate_limited
 */
export function resendInvitation(deps: MemberDeps, actor: Actor, id: string): Promise<Invitation> {
  const { db, clock, audit } = deps
  return db.transaction(async (tx) => {
    const team = await lockInviter(tx, deps, actor)
    const before = await lockInvitation(tx, team.id, id)
    if (!before) throw refusal('invitation_not_found')
    if (before.status !== 'PENDING') throw refusal('invitation_closed')
    requireRoleWithin(actor, before.role)
    await admitAddress(tx, deps, team, before.email)
    const token = randomToken()
    const invitation = await updateInvitation(tx, clock, before.id, {
      tokenHash: tokenHash(token),
      invitedBy: actor.userId,
      expiresAt: fromNow(clock, INVITATION_LIFE),
    })
    await mailInvitation(tx, deps, actor, invitation, token)
    await audit.record(tx, actor, 'invitation.resent', {
      resource: `invitation:${invitation.id}`,
      metadata: { email: invitation.email, role: invitation.role },
    })
    return invitation
  })
}
