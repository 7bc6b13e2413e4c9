import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { parseId, type TeamId } from '../../../platform/ids.js'
import { permissionError, type Role } from '../../permissions/index.js'
import { teamError } from '../../teams/index.js'
import type { User } from '../../users/index.js'
import type { MemberDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { findMember } from '../find-member.js'
import { hasPendingInvitation } from '../invitations/repository.js'
import { lockActor } from '../lock-actor.js'
import { isConfirmedIn } from '../repository.js'
import { activateMembership, confirmingActOf } from './confirm-membership.js'
import { blockedTeamsOf, deleteBlock, insertBlock, type WaitingTeam, waitingTeamsOf } from './waiting-teams.js'

/** Returns the teams that wait for the caller, or those that the caller blocked. @throws team_sign_in_required */
export function listWaiting({ db }: Pick<MemberDeps, 'db'>, actor: Actor, blocked: boolean): Promise<WaitingTeam[]> {
  rejectRestricted(actor)
  return db.transaction((tx) => (blocked ? blockedTeamsOf(tx, actor.userId) : waitingTeamsOf(tx, actor.userId)))
}

/**
 * Confirms the caller's membership and ends a block. Idempotent.
 * @throws organization_not_found without a membership, while it is suspended or the email address is unverified; team_sign_in_required
 */
export const confirmTeam = (deps: MemberDeps, actor: Actor, id: string): Promise<void> =>
  actOnTeam(deps, actor, id, async (tx, user, teamId) => {
    const membership = await findMember(tx, teamId, user.id)
    if (!membership || membership.status === 'suspended') throw teamError('organization_not_found')
    const role = membership.role as Role
    const membershipToActivate = { userId: user.id, teamId, role, by: confirmingActOf(actor) }
    if ((await activateMembership(tx, deps.clock, membershipToActivate)) !== 'activated') return
    await deps.audit.record(tx, { ...actor, teamId }, 'member.confirmed', { resource: `user:${user.id}` })
  })

/**
 * Blocks a team that added or invited the caller: its mails to the caller are dropped and it is no longer listed. The team is not notified.
 * Idempotent.
 * @throws organization_not_found for any other team; membership_confirmed; team_sign_in_required
 */
export const blockTeam = (deps: MemberDeps, actor: Actor, id: string): Promise<void> =>
  actOnTeam(deps, actor, id, async (tx, user, teamId) => {
    const isMember = (await findMember(tx, teamId, user.id)) !== undefined
    if (!isMember && !(await hasPendingInvitation(tx, teamId, user.email))) throw teamError('organization_not_found')
    if (await isConfirmedIn(tx, user.id, teamId)) throw rejection('membership_confirmed')
    await insertBlock(tx, deps.clock, user.id, teamId)
    await recordBlock(tx, deps, actor, teamId, 'user.team_blocked')
  })

/** Ends the block of a team. @throws organization_not_found if the caller has not blocked it; team_sign_in_required */
export const unblockTeam = (deps: MemberDeps, actor: Actor, id: string): Promise<void> =>
  actOnTeam(deps, actor, id, async (tx, user, teamId) => {
    if (!(await deleteBlock(tx, user.id, teamId))) throw teamError('organization_not_found')
    await recordBlock(tx, deps, actor, teamId, 'user.team_unblocked')
  })

/** Records the block in the instance's log: the team must not learn of it. */
const recordBlock = (
  tx: Transaction,
  { audit }: MemberDeps,
  actor: Actor,
  teamId: TeamId,
  action: 'user.team_blocked' | 'user.team_unblocked',
): Promise<unknown> =>
  audit.record(tx, { ...actor, teamId: null }, action, { resource: `user:${actor.userId}`, metadata: { team: teamId } })

/**
 * Runs an act of the caller on a team, with the account locked.
 * @throws team_sign_in_required, invalid_access_token, organization_not_found for a malformed ID or an unverified email address
 */
export function actOnTeam<Result>(
  deps: MemberDeps,
  actor: Actor,
  id: string,
  act: (tx: Transaction, user: User, teamId: TeamId) => Promise<Result>,
): Promise<Result> {
  rejectRestricted(actor)
  return deps.db.transaction(async (tx) => {
    const { user } = await lockActor(tx, deps, actor)
    const teamId = parseId<TeamId>(id)
    if (!teamId || !user.emailVerifiedAt) throw teamError('organization_not_found')
    return act(tx, user, teamId)
  })
}

/** @throws team_sign_in_required for a session that is restricted to one team: it must not tie its user to another */
export function rejectRestricted({ restrictedToTeam }: Actor): void {
  if (restrictedToTeam) throw permissionError('team_sign_in_required')
}
