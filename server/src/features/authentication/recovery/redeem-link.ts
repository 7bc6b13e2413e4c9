import { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import {
  type OneTimeToken,
  type OneTimeTokenKind,
  peekOneTimeToken,
  redeemOneTimeToken,
  sessionError,
} from '../../sessions/index.js'
import { lockAccountExclusively, lockUser, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { admitSource, countSourceFailure } from '../limits/sign-in-limits.js'

/** Limits redemptions of one-time tokens by source: each `invalid_token` counts. @throws rate_limited, and the errors of `redeem` */
export async function withTokenLimit<T>(deps: AccountDeps, origin: RequestOrigin, redeem: () => Promise<T>) {
  await admitSource(deps, 'one-time-token', origin)
  try {
    return await redeem()
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_token') {
      await deps.db.transaction(async (tx) => {
        await countSourceFailure(tx, deps, 'one-time-token', origin)
        await deps.audit.record(tx, { userId: null, teamId: null, origin }, 'user.login', {
          result: 'FAILURE',
          metadata: { method: 'one_time_token', reason: 'invalid_token' },
        })
      })
    }
    throw error
  }
}

/** Redeems one-time tokens in one transaction, limited by source like `withTokenLimit`. @throws rate_limited, and the errors of `redeem` */
export const redeemInTransaction = <T>(
  deps: AccountDeps,
  origin: RequestOrigin,
  redeem: (tx: Transaction) => Promise<T>,
): Promise<T> => withTokenLimit(deps, origin, () => deps.db.transaction(redeem))

/**
 * Locks the account of a one-time token exclusively and redeems the token. The account is always locked first, which avoids deadlocks. The
 * exclusive lock waits for concurrent requests of the account, so that a caller that revokes its credentials finds everything they wrote.
 * Runs in the caller's transaction.
 * @throws invalid_token
 */
export async function redeemForAccount(
  tx: Transaction,
  { clock }: AccountDeps,
  kinds: OneTimeTokenKind[],
  token: string,
): Promise<{ redeemed: OneTimeToken; user: User }> {
  const { userId } = await peekOneTimeToken(tx, clock, kinds, token)
  await lockAccountExclusively(tx, userId)
  const user = await lockUser(tx, userId)
  if (!user) throw sessionError('invalid_token')
  return { redeemed: await redeemOneTimeToken(tx, clock, kinds, token), user }
}
