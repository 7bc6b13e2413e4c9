import type { AssertionAnswer } from '../../../protocols/webauthn/index.js'
import { logTeamOf } from '../../members/index.js'
import { askForAnyPasskey, SIGN_IN, verifyPasskey } from '../../mfa/index.js'
import type { IssuedSession } from '../../sessions/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { wrongPasskey } from '../errors.js'
import { admitSource, clearFailures, countSourceFailure } from '../limits/sign-in-limits.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import type { Challenge } from '../pipeline/sign-in-step.js'
import { signInTransaction } from './sign-in-transaction.js'

/**
 * Sign-in by a passkey alone: it says whose it is, has verified its user, and is therefore two factors. A locked account is not closed to
 * it: nobody guesses a passkey.
 * @throws passkey_invalid, rate_limited; what a sign-in throws
 */
export async function signInByPasskey(
  allDeps: AccountDeps,
  attempt: { credential: AssertionAnswer; teamId?: string | undefined },
  request: SignInRequest,
): Promise<IssuedSession | Challenge> {
  const { origin } = request
  await admitSource(allDeps, 'sign-in', origin)
  const outcome = await signInTransaction(allDeps, `passkey ${attempt.credential.id}`, async (tx, deps) => {
    const proof = await verifyPasskey(tx, deps, attempt.credential, { use: SIGN_IN, alone: true, origin })
    if (!('factor' in proof)) {
      await countSourceFailure(tx, deps, 'sign-in', origin)
      const teamId = proof.userId && (await logTeamOf(tx, proof.userId, attempt.teamId ?? null))
      await deps.audit.record(tx, { userId: proof.userId, teamId, origin }, 'user.login', {
        result: 'FAILURE',
        ...(proof.userId && { resource: `user:${proof.userId}` }),
        metadata: { method: 'passkey', reason: `passkey_${proof.reason}` },
      })
      return { rejected: wrongPasskey() }
    }
    await clearFailures(tx, deps, ['sign-in'], origin)
    return signIn(tx, deps, {
      user: proof.user,
      method: 'passkey',
      amr: proof.factor.amr,
      factor: proof.factor,
      // A passkey that a restricted session enrolled opens its team alone.
      restrictedToTeam: proof.restrictedTo,
      temporarySetBy: proof.temporarySetBy,
      wantedTeam: attempt.teamId ?? null,
      passwordDue: null,
      request,
    })
  })
  return sessionOf(outcome)
}

/** What the browser is to ask whatever passkey it has for us. Nothing is stored for it. */
export const passkeySignInOptions = (deps: AccountDeps) => askForAnyPasskey(deps)
