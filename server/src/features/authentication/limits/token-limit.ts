import { AppError } from '../../../platform/app-error.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { AccountDeps } from '../deps.js'
import { admitSource, countSourceFailure } from './sign-in-limits.js'

/** Limits redemptions of one-time tokens by source: each `invalid_token` counts. @throws rate_limited, and the errors of `redeem` */
export async function withTokenLimit<T>(
  deps: AccountDeps,
  origin: RequestOrigin,
  redeem: () => Promise<T>,
): Promise<T> {
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
