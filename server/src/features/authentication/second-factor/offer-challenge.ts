import { askForPasskey, mfaError } from '../../mfa/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { admitSource } from '../limits/sign-in-limits.js'
import type { WaitingSignIn } from '../pipeline/require-factor.js'
import { challengeOf, findWaiting } from './waiting-sign-in.js'

/** What the browser is to ask the account's passkeys for the sign-in that waits. @throws mfa_expired, no_passkey, rate_limited */
export async function offerChallenge(deps: AccountDeps, mfaToken: string, { origin }: SignInRequest) {
  await admitSource(deps, 'challenge', origin)
  return deps.db.transaction(async (tx) => {
    const waiting = await findWaiting(tx, deps, mfaToken)
    if (!waiting?.teamId) throw mfaError('mfa_expired')
    const { restrictedToTeam } = waiting.data as unknown as WaitingSignIn
    const scope = { userId: waiting.userId, teamId: waiting.teamId, restrictedTo: restrictedToTeam }
    return askForPasskey(tx, deps, scope, challengeOf(mfaToken))
  })
}
