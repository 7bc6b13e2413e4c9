import type { Transaction } from '../../../platform/db/database.js'
import { type RequestOrigin, withoutLocation } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import {
  deleteMembership,
  findMember,
  hasAdmin,
  lockActiveMember,
  type RoleDeps,
  recordRole,
  successorOf,
  writeRole,
} from '../../members/index.js'
import { notifyOfLostPermissions, revokeTeamAccess } from '../../user-management/index.js'
import { lockUser, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { endTemporaryAbove } from '../recovery/end-temporary-credentials.js'

/** Removes an account that ends from a team, even as its last owner. Runs in the caller's transaction, which has locked the account. */
export async function removeFrom(
  tx: Transaction,
  deps: AccountDeps,
  { id, email }: User,
  teamId: TeamId,
  origin: RequestOrigin,
): Promise<void> {
  const membership = await findMember(tx, teamId, id)
  if (!membership) return
  const subject = { userId: id, teamId, origin: withoutLocation(origin) }
  const ended = await revokeTeamAccess(tx, deps, id, teamId, 'removed', subject)
  await deleteMembership(tx, membership)
  await deps.audit.record(tx, subject, 'member.removed', {
    resource: `user:${id}`,
    metadata: { email, role: membership.role, ...ended, left: true },
  })
}

/** Locks the accounts that may become owners, in the order of their IDs and before the teams. Runs in the caller's transaction. */
export async function lockSuccessors(tx: Transaction, teams: readonly TeamId[], leaving: UserId): Promise<Set<UserId>> {
  const found = new Set<UserId>()
  for (const teamId of teams) {
    const id = await successorOf(tx, teamId, leaving)
    if (id) found.add(id)
  }
  for (const id of [...found].sort()) await lockUser(tx, id)
  return found
}

/**
 * Makes the longest-standing administrator (ORG_ADMIN) the owner of a team that lost its last owner. Without one, no member gains a
 * permission: the team has no owner until an instance administrator appoints one, which the log of the instance records. Runs in the
 * caller's transaction, which has locked the team and these accounts.
 * @param locked the accounts that may become the owner
 */
export async function passOnOwnership(
  tx: Transaction,
  deps: AccountDeps,
  { teamId, leaving, locked }: { teamId: TeamId; leaving: UserId; locked: ReadonlySet<UserId> },
  origin: RequestOrigin,
): Promise<void> {
  if (await hasAdmin(tx, teamId)) return
  const { audit, clock } = deps
  const successor = await successorOf(tx, teamId, leaving)
  const member = successor && locked.has(successor) ? await lockActiveMember(tx, teamId, successor) : undefined
  if (!member) {
    await audit.record(tx, { userId: leaving, teamId: null, origin }, 'organization.owner_missing', {
      resource: `organization:${teamId}`,
    })
    return
  }
  await writeRole(tx, clock, member.id, 'OWNER')
  const subject = { userId: leaving, teamId, origin: withoutLocation(origin) }
  const roleDeps: RoleDeps = {
    audit,
    endTemporaryAbove: (tx, given, by) => endTemporaryAbove(tx, deps, given, by),
    endTemporaryOf: deps.endTemporaryOf,
    notifyOfLostPermissions: (tx, change) => notifyOfLostPermissions(tx, deps, change),
  }
  await recordRole(tx, roleDeps, subject, member, 'OWNER')
}
