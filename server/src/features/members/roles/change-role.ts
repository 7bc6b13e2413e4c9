import type { Actor } from '../../../platform/http/actor.js'
import { parseId } from '../../../platform/ids.js'
import { isTopRole, requireRoleWithin } from '../../permissions/index.js'
import { lockOrganization } from '../../teams/index.js'
import { lockSetter } from '../delegation/temporary-setters.js'
import type { MemberDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { lockMember, type Membership, memberOfEitherId, writeRole } from '../repository.js'
import { requireRemainingAdmin } from './ownership.js'
import { recordRole } from './record-role.js'

/**
 * Changes the role of a member, effective on the next request. The caller must hold every permission of the old and the new role. Setting
 * the same role changes nothing.
 * @param memberId membership ID or user ID
 * @throws role_protected, member_not_found, last_admin, organization_not_found
 */
export function changeRole(deps: MemberDeps, actor: Actor, memberId: string, role: string): Promise<Membership> {
  const { db, clock } = deps
  requireRoleWithin(actor, role)
  return db.transaction(async (tx) => {
    // The account before the team, in the order of every membership change: no decision uses an outdated role.
    const known = parseId(memberId)
    const userId = known && (await memberOfEitherId(tx, actor.teamId, known))
    if (userId) await lockSetter(tx, actor.teamId, userId)
    await lockOrganization(tx, actor.teamId)
    const member = await lockMember(tx, actor.teamId, memberId)
    if (!member) throw rejection('member_not_found')
    requireRoleWithin(actor, member.role)
    if (member.role === role) return member
    const leaves = isTopRole(member.role) && !isTopRole(role) && member.status === 'active'
    if (leaves) await requireRemainingAdmin(tx, actor.teamId, member.userId)
    const changed = await writeRole(tx, clock, member.id, role)
    await recordRole(tx, deps, actor, member, role)
    return changed
  })
}
