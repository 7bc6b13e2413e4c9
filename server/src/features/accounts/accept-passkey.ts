import type { Transaction } from '../../platform/db/database.js'
import type { OpenTeam } from '../members/index.js'
import { validFactors } from '../mfa/index.js'
import { mayContinue, nextTeam } from './choose-team.js'
import { wrongPasskey } from './errors.js'
import type { SignIn, SignInStep } from './sign-in-step.js'

/**
 * A sign-in by a passkey alone needs a team in which the passkey is valid. Where no team was named, another one of the user's is opened in
 * place of one that has reset the user's factors: its reset is local to it.
 */
export const acceptPasskey: SignInStep = async (tx, deps, signIn) => {
  if (!signIn.team || (await isValidIn(tx, signIn, signIn.team))) return signIn
  for (let state = signIn; mayContinue(state) && state.candidates?.length; ) {
    const next = await nextTeam(tx, deps, state)
    if ('refused' in next || 'challenge' in next) return next
    if (next.team && (await isValidIn(tx, next, next.team))) return next
    state = next
  }
  return { refused: wrongPasskey() }
}

/** Verifies the same of the team that the rules of sign-in have led to. */
export const requirePasskey: SignInStep = async (tx, _deps, signIn) =>
  !signIn.team || (await isValidIn(tx, signIn, signIn.team)) ? signIn : { refused: wrongPasskey() }

async function isValidIn(
  tx: Transaction,
  { user, method, factor, confinedTo }: SignIn,
  { id: teamId }: OpenTeam,
): Promise<boolean> {
  if (method !== 'passkey' || !factor) return true
  const valid = await validFactors(tx, { userId: user.id, teamId, restrictedTo: confinedTo })
  return valid.some(({ id }) => id === factor.id)
}
