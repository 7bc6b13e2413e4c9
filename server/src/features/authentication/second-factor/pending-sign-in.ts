import { AppError } from '../../../platform/app-error.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { ChallengeBinding } from '../../mfa/index.js'
import { type OneTimeToken, peekOneTimeToken } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'

/** Returns the pending sign-in of a challenge token; undefined if it is unknown, redeemed or expired. Runs in the caller's transaction. */
export async function findChallenge(
  tx: Transaction,
  { clock }: Pick<AccountDeps, 'clock'>,
  mfaToken: string,
): Promise<OneTimeToken | undefined> {
  return peekOneTimeToken(tx, clock, ['mfa_challenge'], mfaToken).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_token') return undefined
    throw error
  })
}

/** Binds the WebAuthn challenge of a second factor to the pending sign-in. */
export const challengeOf = (mfaToken: string): ChallengeBinding => ({
  purpose: 'second_factor',
  boundTo: [tokenHash(mfaToken).toString('hex')],
})
