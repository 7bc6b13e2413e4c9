import type { Actor } from '../../../platform/http/actor.js'
import { parseId, type TeamId } from '../../../platform/ids.js'
import { isTopRole, requireRoleWithin } from '../../permissions/index.js'
import { lockOrganization, teamError } from '../../teams/index.js'
import { lockUser, lockUserByEmail, normalizeEmail } from '../../users/index.js'
import type { MemberDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { lockActiveMember, lockMember, type Membership, memberOfEitherId, requireSameRole } from '../find-member.js'
import { writeRole } from '../repository.js'
import { hasAdmin, requireRemainingAdmin } from './ownership.js'
import { recordRole } from './record-role.js'

/**
 * Changes the role of a member, effective on the next request. The caller must hold every permission of the old and the new role. Setting
 * the same role changes nothing.
 * @param memberId membership ID or user ID
 * @throws role_protected, member_not_found, last_admin, organization_not_found, invalid_access_token
 */
export function changeRole(deps: MemberDeps, actor: Actor, memberId: string, role: string): Promise<Membership> {
  const { db, clock } = deps
  requireRoleWithin(actor, role)
  return db.transaction(async (tx) => {
    // The account before the team, in the order of every membership change: no decision uses an outdated role.
    const known = parseId(memberId)
    const userId = known && (await memberOfEitherId(tx, actor.teamId, known))
    if (userId) await lockUser(tx, userId)
    await lockOrganization(tx, actor.teamId)
    const member = await lockMember(tx, actor.teamId, memberId)
    if (!member) throw rejection('member_not_found')
    requireSameRole(actor, member)
    requireRoleWithin(actor, member.role)
    if (member.role === role) return member
    const leaves = isTopRole(member.role) && !isTopRole(role) && member.status === 'active'
    if (leaves) await requireRemainingAdmin(tx, actor.teamId, member.userId)
    const changed = await writeRole(tx, clock, member.id, role)
    await recordRole(tx, deps, actor, member, role)
    return changed
  })
}

/**
 * Makes an active member the owner of a team without an active, confirmed owner or super-admin. For every other team the error is that of
 * an unknown team, because instance administrators have no permissions in it.
 * @throws organization_not_found, member_not_found
 */
export function appointOwner(
  deps: MemberDeps,
  actor: Actor,
  input: { teamId: string; email: string },
): Promise<Membership> {
  const { db, clock, audit } = deps
  return db.transaction(async (tx) => {
    // Every membership change locks the account before the team.
    const user = await lockUserByEmail(tx, normalizeEmail(input.email))
    const teamId = parseId<TeamId>(input.teamId)
    if (!teamId) throw teamError('organization_not_found')
    await lockOrganization(tx, teamId)
    if (await hasAdmin(tx, teamId)) throw teamError('organization_not_found')
    const member = user && (await lockActiveMember(tx, teamId, user.id))
    if (!member) throw rejection('member_not_found')
    const owner = await writeRole(tx, clock, member.id, 'OWNER')
    await recordRole(tx, deps, { ...actor, teamId }, member, 'OWNER')
    await audit.record(tx, { ...actor, teamId: null }, 'organization.owner_appointed', {
      resource: `organization:${teamId}`,
      metadata: { user: owner.userId },
    })
    return owner
  })
}
