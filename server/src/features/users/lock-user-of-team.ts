import type { Transaction } from '../../platform/db/database.js'
import { parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { lockUser, type User } from '../identities/index.js'
import { findMember, type Membership, memberRefusal } from '../members/index.js'

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
 * @throws user_not_found for an unknown id, for that of a user who is not in the team, and for a text that is none alike
 */
export async function lockUserOfTeam(tx: Transaction, teamId: TeamId, id: string): Promise<LockedUser> {
  const known = parseId<UserId>(id)
  const there = known && (await findMember(tx, teamId, known))
  const account = there && (await lockUser(tx, there.userId))
  // It may have been removed while we waited.
  const membership = account && (await findMember(tx, teamId, account.id))
  if (!membership) throw memberRefusal('user_not_found')
  return { account, membership }
}
