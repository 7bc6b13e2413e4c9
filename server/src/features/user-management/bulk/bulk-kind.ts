import type { Transaction } from '../../../platform/db/database.js'
import { type GroupId, parseId, type UserId } from '../../../platform/ids.js'
import { joinGroups, leaveGroup } from '../../groups/index.js'
import { findMembers } from '../../members/index.js'
import { BATCH_LIMITS, lockUsers } from '../../users/index.js'
import type { UserDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { mailResetTo, resendWelcomeTo } from '../help-desk/mail-link.js'
import { endSessionsOf, resetFactorsOf } from '../help-desk/reset-access.js'
import { lockUserOfTeam } from '../lock-user-of-team.js'
import type { BulkAction } from '../runs/deps.js'
import { reasonOf } from '../runs/end-run.js'
import type { RunActor, RunKind } from '../runs/run-batches.js'
import { changeUser } from '../update-user.js'

/** The permission that the route of the same change of one user requires. */
export const PERMISSIONS: Record<BulkAction['name'], string> = {
  suspend: 'users:write',
  activate: 'users:write',
  set_role: 'users:write',
  resend_invitation: 'users:write',
  add_to_group: 'groups:members',
  remove_from_group: 'groups:members',
  send_password_reset: 'users:credentials',
  reset_mfa: 'users:credentials',
  end_sessions: 'users:credentials',
}

export const bulkKind: RunKind = {
  permissionOf: ({ action }) => PERMISSIONS[(action as BulkAction).name],
  lockRows: async (tx, teamId, rows) => {
    const some = rows.slice(0, BATCH_LIMITS.accounts)
    const ids = some.flatMap(({ userId = '' }) => parseId<UserId>(userId) ?? [])
    // Only members: a team must not lock the accounts of others.
    await lockUsers(tx, [...(await findMembers(tx, teamId, ids)).keys()])
    return some
  },
  verifiesEachRow: true,
  applyRow: (tx, deps, actor, { action }, { userId = '' }) =>
    applyAction(tx, deps, actor, action as BulkAction, userId),
  failureOf: ({ userId = '' }, error, place) => ({ line: place, email: '', userId, ...reasonOf(error) }),
}

/**
 * Makes the change of one user like the route of the single user. Runs in the caller's transaction.
 * @throws own_account, and the errors of that route
 */
async function applyAction(
  tx: Transaction,
  deps: UserDeps,
  actor: RunActor,
  action: BulkAction,
  id: string,
): Promise<'updated' | 'unchanged'> {
  const isGroup = action.name === 'add_to_group' || action.name === 'remove_from_group'
  // A filter can include the caller, who would then lose access by accident.
  if (!isGroup && parseId(id) === actor.userId) throw rejection('own_account')
  switch (action.name) {
    case 'suspend':
    case 'activate': {
      const status = action.name === 'suspend' ? 'suspended' : 'active'
      return outcomeOf((await changeUser(tx, deps, actor, id, { status })).isChanged)
    }
    case 'set_role':
      return outcomeOf((await changeUser(tx, deps, actor, id, { role: action.role })).isChanged)
    case 'add_to_group':
    case 'remove_from_group': {
      // The account, and not the membership: a request that has locked that of a later row may wait for the group.
      const { account } = await lockUserOfTeam(tx, actor.teamId, id)
      const groupId = action.groupId as GroupId
      const isAdded = action.name === 'add_to_group'
      return outcomeOf(
        isAdded
          ? await joinGroups(tx, deps, actor, account.id, [groupId])
          : await leaveGroup(tx, deps, actor, account.id, groupId),
      )
    }
    case 'send_password_reset':
      await mailResetTo(tx, deps, actor, id)
      return 'updated'
    case 'resend_invitation':
      await resendWelcomeTo(tx, deps, actor, id)
      return 'updated'
    case 'reset_mfa':
      await resetFactorsOf(tx, deps, actor, id)
      return 'updated'
    case 'end_sessions':
      return outcomeOf((await endSessionsOf(tx, deps, actor, id)) > 0)
  }
}

const outcomeOf = (isChanged: boolean) => (isChanged ? 'updated' : 'unchanged')
