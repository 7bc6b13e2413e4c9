import { AppError } from '../../../platform/app-error.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { ChallengeFor } from '../../mfa/index.js'
import { type OneTimeToken, peekOneTimeToken } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'

/** A step: the sign-in that waits under the token; undefined when there is none (any more). */
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

/** What a passkey answers that is asked for as a second factor: this sign-in and no other. */
export const challengeOf = (mfaToken: string): ChallengeFor => ({
  purpose: 'second_factor',
  boundTo: [tokenHash(mfaToken).toString('hex')],
})
