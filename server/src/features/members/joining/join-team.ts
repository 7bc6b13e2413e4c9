import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { lockOrganization, type Organization, teamError } from '../../teams/index.js'
import type { User } from '../../users/index.js'
import type { MemberDeps } from '../deps.js'
import { findMember, findMembership } from '../find-member.js'
import { closeInvitations } from '../invitations/repository.js'
import { actOnTeam, rejectRestricted } from './answer-team.js'
import { activateMembership, confirmingActOf } from './confirm-membership.js'
import { wasRemoved } from './removed-members.js'

/** A team as a user sees it who is not a member. */
export interface JoinableTeam {
  id: TeamId
  name: string
  slug: string
  logoUrl: string | null
  primaryColor: string | null
}

const joinable = namedQuery<JoinableTeam, [TeamId, string, UserId]>(
  'members.joinable_team',
  `SELECT o.id, o.name, o.slug, o.logo_url AS "logoUrl", o.primary_color AS "primaryColor" FROM organizations o
   WHERE o.id = $1 AND o.allowed_domains @> ARRAY[$2]::text[] AND o.status = 'ACTIVE'
     AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.organization_id = o.id AND m.user_id = $3)`,
)

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/**
 * Returns the team that admits the domain of the caller's verified email address and has verified that domain by DNS, if there is one.
 * Other teams are not shown, because any team can list any domain.
 * @throws team_sign_in_required
 */
export async function listJoinable(
  { db, verifiedDomains }: MemberDeps,
  actor: Actor,
  { page, limit }: { page: number; limit: number },
): Promise<{ teams: JoinableTeam[]; total: number }> {
  rejectRestricted(actor)
  if (!actor.user.emailVerified) return { teams: [], total: 0 }
  const domain = domainOf(actor.user.email)
  return db.transaction(async (tx) => {
    const teamId = await verifiedDomains.teamOfDomain(tx, domain)
    if (!teamId || (await wasRemoved(tx, teamId, { id: actor.userId, email: actor.user.email })))
      return { teams: [], total: 0 }
    const teams = await tx.run(joinable, [teamId, domain, actor.userId])
    return { teams: teams.slice((page - 1) * limit, page * limit), total: teams.length }
  })
}

/**
 * Joins a team that admits the domain of the caller's verified email address, as MEMBER. A team that does not, or that suspended or removed
 * the caller, causes the error of an unknown one. An existing member keeps their role.
 * @throws organization_not_found, team_sign_in_required, limit_reached
 */
export const joinTeam = (deps: MemberDeps, actor: Actor, id: string): Promise<{ team: Organization; role: string }> =>
  actOnTeam(deps, actor, id, async (tx, user, teamId) => {
    const { clock, audit } = deps
    const team = await lockOpenTeam(tx, user, teamId)
    const isMember = (await findMember(tx, team.id, user.id)) !== undefined
    if (!isMember && (await wasRemoved(tx, team.id, user))) throw teamError('organization_not_found')
    const by = confirmingActOf(actor)
    const outcome = await activateMembership(tx, clock, { userId: user.id, teamId, role: 'MEMBER', by })
    if (outcome === 'suspended') throw teamError('organization_not_found')
    const { role } = await findMembership(tx, team.id, user.id)
    if (outcome !== 'unchanged') {
      const subject = { ...actor, teamId }
      await closeInvitations(tx, deps, subject, user.email)
      await audit.record(tx, subject, 'member.joined', { resource: `user:${user.id}`, metadata: { role } })
    }
    return { team, role }
  })

/** Locks a team that admits the user's domain. @throws organization_not_found */
async function lockOpenTeam(tx: Transaction, user: User, teamId: TeamId): Promise<Organization> {
  const team = await lockOrganization(tx, teamId)
  if (team.status !== 'ACTIVE' || !team.allowedDomains.includes(domainOf(user.email)))
    throw teamError('organization_not_found')
  return team
}
