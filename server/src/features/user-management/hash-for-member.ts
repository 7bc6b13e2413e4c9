import type { TeamId } from '../../platform/ids.js'
import { turnsOf } from '../teams/index.js'
import type { UserDeps } from './deps.js'

/**
 * Hashes a password that a team sets for a member, in the turn of the team's creator, so that it delays no sign-in. Not inside a transaction.
 * @throws unavailable while too many of the creator's teams wait
 */
export async function hashForMember(
  { db, hasher }: Pick<UserDeps, 'db' | 'hasher'>,
  teamId: TeamId,
  password: string,
): Promise<string> {
  const turns = await db.transaction((tx) => turnsOf(tx, teamId))
  return hasher.hash(password, turns)
}
