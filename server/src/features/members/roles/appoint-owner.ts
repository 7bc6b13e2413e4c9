import type { Actor } from '../../../platform/http/actor.js'
import { parseId, type TeamId } from '../../../platform/ids.js'
import { lockOrganization, teamError } from '../../teams/index.js'
import { lockUserByEmail, normalizeEmail } from '../../users/index.js'
import type { MemberDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { type Membership, writeRole } from '../repository.js'
import { hasAdmin, lockActiveMember } from './ownership.js'
import { recordRole } from './record-role.js'

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
