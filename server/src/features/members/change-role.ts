import type { Actor } from '../../platform/http/actor.js'
import { parseId } from '../../platform/ids.js'
import { isTopRole, requireRoleWithin } from '../permissions/index.js'
import { lockOrganization } from '../teams/index.js'
import type { MemberDeps } from './deps.js'
import { rejection } from './errors.js'
import { keepAnAdmin } from './keep-an-admin.js'
import { recordRole } from './record-role.js'
import { lockMember, type Membership, memberOfEitherId, writeRole } from './repository.js'
import { lockSetter } from './temporary-setters.js'

/**
 * Gives a member another role; it holds from the next request on. The caller must hold every permission of the new role and of the
 * one that the member has. The role that somebody has already changes nothing.
 * @param memberId the membership's id, or the user's
 * @throws role_protected, member_not_found, last_admin, organization_not_found
 */
export function changeRole(deps: MemberDeps, actor: Actor, memberId: string, role: string): Promise<Membership> {
  const { db, clock } = deps
  requireRoleWithin(actor, role)
  return db.transaction(async (tx) => {
    // The account before the team, as every door that changes a membership does: none decides by a role that is no longer so.
    const known = parseId(memberId)
    const userId = known && (await memberOfEitherId(tx, actor.teamId, known))
    if (userId) await lockSetter(tx, actor.teamId, userId)
    await lockOrganization(tx, actor.teamId)
    const member = await lockMember(tx, actor.teamId, memberId)
    if (!member) throw rejection('member_not_found')
    requireRoleWithin(actor, member.role)
    if (member.role === role) return member
    const leaves = isTopRole(member.role) && !isTopRole(role) && member.status === 'active'
    if (leaves) await keepAnAdmin(tx, actor.teamId, member.userId)
    const changed = await writeRole(tx, clock, member.id, role)
    await recordRole(tx, deps, actor, member, role)
    return changed
  })
}
