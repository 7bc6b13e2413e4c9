import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import {
  activateMembership,
  type ConfirmingAct,
  findMember,
  findValidInvitation,
  lockInvitationByToken,
  type PendingInvitation,
  updateInvitation,
  wasRemoved,
} from '../../members/index.js'
import type { Role } from '../../permissions/index.js'
import { sessionError } from '../../sessions/index.js'
import { lockOrganization } from '../../teams/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { withTokenLimit } from '../limits/token-limit.js'

/** Returns the pending invitation with this token. Runs in the caller's transaction. @throws invalid_token, team_suspended, invitation_withdrawn */
export async function findInvitation(
  tx: Transaction,
  { clock }: Pick<AccountDeps, 'clock'>,
  token: string,
): Promise<PendingInvitation> {
  const invitation = await findValidInvitation(tx, clock, token)
  if (!invitation) throw sessionError('invalid_token')
  return invitation
}

/**
 * Returns the pending invitation with this token. The response does not reveal whether the email address has an account.
 * @throws invalid_token, rate_limited, team_suspended, invitation_withdrawn
 */
export const readInvitation = (deps: AccountDeps, token: string, origin: RequestOrigin): Promise<PendingInvitation> =>
  withTokenLimit(deps, origin, () => deps.db.transaction((tx) => findInvitation(tx, deps, token)))

/**
 * Redeems the invitation and adds the user to its team. Locks the team, the invitation and the inviter and reads the invitation again, so
 * that only one of several concurrent requests redeems it. Runs in the caller's transaction, which has locked the account.
 * @throws invalid_token, team_suspended, invitation_withdrawn, account_suspended, limit_reached, second_factor_required
 */
export async function redeemInvitation(
  tx: Transaction,
  deps: AccountDeps,
  token: string,
  user: User,
  { by, origin }: { by: ConfirmingAct; origin: RequestOrigin },
): Promise<PendingInvitation> {
  const { clock, audit } = deps
  const { team } = await findInvitation(tx, deps, token)
  await lockOrganization(tx, team.id).catch((error: unknown) => {
    throw (error as { code?: string }).code === 'organization_not_found' ? sessionError('invalid_token') : error
  })
  await lockInvitationByToken(tx, token)
  const invitation = await findInvitation(tx, deps, token)
  if (invitation.email !== user.email) throw sessionError('invalid_token')
  // An invitation that was sent before the team removed the user must not add them again.
  const isMember = (await findMember(tx, team.id, user.id)) !== undefined
  if (!isMember && (await wasRemoved(tx, team.id, user, invitation.sentAt))) throw sessionError('invalid_token')
  const role = invitation.role as Role
  const outcome = await activateMembership(tx, clock, { userId: user.id, teamId: team.id, role, by })
  if (outcome === 'suspended') throw rejection('account_suspended')
  await updateInvitation(tx, clock, invitation.id, { status: 'ACCEPTED', acceptedBy: user.id })
  const subject = { userId: user.id, teamId: team.id, origin }
  // An existing member keeps their role.
  const membership = await findMember(tx, team.id, user.id)
  await audit.record(tx, subject, 'invitation.accepted', {
    resource: `invitation:${invitation.id}`,
    metadata: { email: user.email, role: membership?.role ?? role },
  })
  if (outcome === 'added')
    await audit.record(tx, subject, 'member.added', { resource: `user:${user.id}`, metadata: { role } })
  return invitation
}
