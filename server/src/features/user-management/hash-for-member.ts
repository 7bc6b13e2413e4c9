import type { TeamId } from '../../platform/ids.js'
import { queueKeyOf } from '../teams/index.js'
import type { UserDeps } from './deps.js'

/**
 * Hashes a password that a team sets for a member, in the fair queue of the team's creator, so that it delays no sign-in. Call it outside a
 * transaction: it may wait.
 * @throws unavailable if too many of the creator's teams wait
 */
export async function hashForMember(
  { db, hasher }: Pick<UserDeps, 'db' | 'hasher'>,
  teamId: TeamId,
  password: string,
): Promise<string> {
  const queue = await db.transaction((tx) => queueKeyOf(tx, teamId))
  return hasher.hash(password, queue)
}
