import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { Role } from '../../permissions/index.js'
import { normalizeDomains } from '../../settings/index.js'
import { createOrganization, type NewOrganization, type Organization } from '../../teams/index.js'
import { lockUser } from '../../users/index.js'
import { addMember } from '../add-members.js'
import type { MemberDeps } from '../deps.js'
import { rejectRestricted } from '../joining/answer-team.js'
import { admitSlug } from './admit-slug.js'

/** Creates a team with the caller as its first super-admin. @throws slug_taken, slug_reserved, rate_limited, team_sign_in_required */
export async function createTeam(
  deps: MemberDeps,
  actor: Actor,
  wanted: Omit<NewOrganization, 'createdBy'>,
): Promise<{ team: Organization; role: Role }> {
  rejectRestricted(actor)
  await admitSlug(deps, actor)
  const { db, clock, audit, limits, requireActiveActor } = deps
  const role: Role = 'SUPER_ADMIN'
  return db.transaction(async (tx) => {
    // The account may have been deleted since the request was authenticated.
    if (!(await lockUser(tx, actor.userId))) throw platformError('invalid_access_token')
    await requireActiveActor(tx, clock, actor)
    const allowedDomains = normalizeDomains(wanted.allowedDomains ?? [])
    const domain = wanted.domain?.toLowerCase() ?? null
    const team = await createOrganization(tx, clock, limits, {
      ...wanted,
      domain,
      allowedDomains,
      createdBy: actor.userId,
    })
    await addMember(tx, clock, { userId: actor.userId, teamId: team.id, role })
    const subject = { ...actor, teamId: team.id }
    await audit.record(tx, subject, 'organization.created', {
      resource: `organization:${team.id}`,
      metadata: { name: team.name, slug: team.slug },
    })
    await audit.record(tx, subject, 'member.added', { resource: `user:${actor.userId}`, metadata: { role } })
    return { team, role }
  })
}
