import type { AssertionResponse } from '../../../protocols/webauthn/index.js'
import { logTeamOf } from '../../members/index.js'
import { SIGN_IN, verifyPasskey } from '../../mfa/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { wrongPasskey } from '../errors.js'
import { admitSource, countSourceFailure } from '../limits/sign-in-limits.js'
import { signInTransaction } from '../limits/sign-in-queue.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import type { SignedIn } from '../pipeline/sign-in-step.js'

/**
 * Signs in with a passkey alone. The passkey identifies the account and has verified its user, so it counts as two factors. A locked
 * account accepts it, because a passkey cannot be guessed.
 * @throws passkey_invalid, rate_limited; the errors of the pipeline
 */
export async function signInByPasskey(
  allDeps: AccountDeps,
  attempt: { credential: AssertionResponse; teamId?: string | undefined },
  request: SignInRequest,
): Promise<SignedIn> {
  const { origin } = request
  await admitSource(allDeps, 'sign-in', origin)
  const outcome = await signInTransaction(allDeps, `passkey ${attempt.credential.id}`, async (tx, deps) => {
    const proof = await verifyPasskey(tx, deps, attempt.credential, { use: SIGN_IN, isPasswordless: true, origin })
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
    return signIn(tx, deps, {
      user: proof.user,
      method: 'passkey',
      amr: proof.factor.amr,
      factor: proof.factor,
      // A passkey that a restricted session enrolled is valid in its team alone.
      restrictedToTeam: proof.restrictedTo,
      temporarySetBy: proof.temporarySetBy,
      wantedTeam: attempt.teamId ?? null,
      passwordDue: null,
      request,
    })
  })
  return sessionOf(outcome)
}
