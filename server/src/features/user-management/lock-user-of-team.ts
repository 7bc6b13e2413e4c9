import type { Transaction } from '../../platform/db/database.js'
import { parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { findMember, lockSetter, type Membership, memberError } from '../members/index.js'
import { lockUser, type User } from '../users/index.js'

/** A user of a team; the account's row is locked until the transaction ends. */
export interface LockedUser {
  account: User
  membership: Membership
}

/**
 * A step: locks the account, and thereby its memberships, because every door that makes, changes or removes one locks the account
 * first. The membership's own row is left to sign-ins, which come to it with a session in hand. An account that is not in the team
 * is not even locked.
 * @param id as a request names it
 * @param mayFall whether the user may lose permissions: then the accounts for which the user set a temporary password are locked too
 * @throws user_not_found for an unknown id, for that of a user who is not in the team, and for a text that is none alike
 */
export async function lockUserOfTeam(
  tx: Transaction,
  teamId: TeamId,
  id: string,
  mayFall = false,
): Promise<LockedUser> {
  const known = parseId<UserId>(id)
  const there = known && (await findMember(tx, teamId, known))
  const account = there && (await (mayFall ? lockSetter(tx, teamId, there.userId) : lockUser(tx, there.userId)))
  // It may have been removed while we waited.
  const membership = account && (await findMember(tx, teamId, account.id))
  if (!membership) throw memberError('user_not_found')
  return { account, membership }
}
