import type { Actor } from '../../../platform/http/actor.js'
import { requireRoleWithin } from '../../permissions/index.js'
import type { MemberDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { lockInvitation, updateInvitation } from './repository.js'

/** Revokes an invitation and its links. @throws invitation_not_found, invitation_closed, role_protected */
export async function revokeInvitation({ db, clock, audit }: MemberDeps, actor: Actor, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const invitation = await lockInvitation(tx, actor.teamId, id)
    if (!invitation) throw rejection('invitation_not_found')
    if (invitation.status !== 'PENDING') throw rejection('invitation_closed')
    requireRoleWithin(actor, invitation.role)
    await updateInvitation(tx, clock, invitation.id, { status: 'REVOKED' })
    await audit.record(tx, actor, 'invitation.revoked', {
      resource: `invitation:${invitation.id}`,
      metadata: { email: invitation.email, role: invitation.role },
    })
  })
}
