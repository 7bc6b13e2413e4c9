import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import {
  clearRemoval,
  closeInvitations,
  deleteMembership,
  recordRemoval,
  requireRemainingAdmin,
} from '../members/index.js'
import { isTopRole } from '../permissions/index.js'
import type { EndDeps } from './deps.js'
import type { LockedUser } from './lock-user-of-team.js'
import { revokeTeamAccess } from './revoke-team-access.js'

/**
 * Removes a member from the actor's team and revokes their access to it; groups and applications are removed with the membership. The
 * account stays. Runs in the caller's transaction.
 * @throws last_admin
 */
export async function removeMember(
  tx: Transaction,
  deps: EndDeps,
  actor: Actor,
  { account, membership }: LockedUser,
): Promise<void> {
  const { clock, audit } = deps
  if (isTopRole(membership.role)) await requireRemainingAdmin(tx, actor.teamId, account.id)
  const left = account.id === actor.userId
  const ended = await revokeTeamAccess(tx, deps, account.id, actor.teamId, left ? 'left' : 'removed', actor)
  await deleteMembership(tx, membership)
  // A suspended member who leaves is recorded: leaving must not lift the suspension.
  if (left && membership.status !== 'suspended') await clearRemoval(tx, actor.teamId, account)
  else await recordRemoval(tx, clock, actor.teamId, account)
  await closeInvitations(tx, { clock, audit }, actor, account.email)
  await audit.record(tx, actor, 'member.removed', {
    resource: `user:${account.id}`,
    metadata: { email: account.email, role: membership.role, ...ended, ...(left && { left }) },
  })
}
