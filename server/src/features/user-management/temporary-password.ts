import type { TeamId } from '../../platform/ids.js'
import { passwordPolicyOf } from '../password-policy/index.js'
import { requireCompliantPassword } from '../passwords/index.js'
import { queueKeyOf } from '../teams/index.js'
import type { UserDeps } from './deps.js'

/**
 * Validates and hashes a password that a team sets for a member, in the fair queue of the team's creator, so that it delays no sign-in. Call
 * it outside a transaction: it may wait.
 * @throws password_policy; unavailable if too many of the creator's teams wait
 */
export async function hashTemporaryPassword(
  { db, hasher, commonPasswords }: UserDeps,
  teamId: TeamId,
  password: string,
): Promise<string> {
  requireCompliantPassword(password, await passwordPolicyOf(db, teamId), commonPasswords, '/temporaryPassword')
  return hasher.hash(password, await db.transaction((tx) => queueKeyOf(tx, teamId)))
}
