import { AppError } from '../../../platform/app-error.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { AccountDeps } from '../deps.js'
import { admitSource, countSourceFailure } from './sign-in-limits.js'

/** Redeems a one-time token under the limit of its source: each `invalid_token` counts. @throws rate_limited, or what `redeem` throws */
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
