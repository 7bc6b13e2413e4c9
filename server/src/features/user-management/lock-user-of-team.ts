import type { Transaction } from '../../platform/db/database.js'
import { parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { findMember, type Membership, memberError } from '../members/index.js'
import { lockUser, type User } from '../users/index.js'

/** A user of a team, with the account's row locked until the transaction ends. */
export interface LockedUser {
  account: User
  membership: Membership
}

/**
 * Locks the account, and thereby its memberships: every code path that creates, changes or removes a membership locks the account first.
 * The membership's own row is not locked, because sign-ins lock it after their session. Runs in the caller's transaction.
 * @throws user_not_found if the ID is malformed, unknown, or not in the team; then no account is locked
 */
export async function lockUserOfTeam(tx: Transaction, teamId: TeamId, id: string): Promise<LockedUser> {
  const known = parseId<UserId>(id)
  const found = known && (await findMember(tx, teamId, known))
  const account = found && (await lockUser(tx, found.userId))
  // Read again: it may have been removed while this transaction waited.
  const membership = account && (await findMember(tx, teamId, account.id))
  if (!membership) throw memberError('user_not_found')
  return { account, membership }
}
