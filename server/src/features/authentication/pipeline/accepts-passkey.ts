import type { Transaction } from '../../../platform/db/database.js'
import type { OpenTeam } from '../../members/index.js'
import { validFactors } from '../../mfa/index.js'
import type { SignIn } from './sign-in-step.js'

/**
 * Returns whether the team accepts the passkey of a passkey sign-in; true for any other method. A team that has reset the user's factors
 * does not accept it. Runs in the caller's transaction.
 */
export async function acceptsPasskey(
  tx: Transaction,
  { user, method, factor, restrictedToTeam }: SignIn,
  { id: teamId }: OpenTeam,
): Promise<boolean> {
  if (method !== 'passkey' || !factor) return true
  const valid = await validFactors(tx, { userId: user.id, teamId, restrictedTo: restrictedToTeam })
  return valid.some(({ id }) => id === factor.id)
}
