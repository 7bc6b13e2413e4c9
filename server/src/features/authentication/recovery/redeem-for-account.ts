import type { Transaction } from '../../../platform/db/database.js'
import {
  type OneTimeKind,
  type OneTimeToken,
  peekOneTimeToken,
  redeemOneTimeToken,
  sessionError,
} from '../../sessions/index.js'
import { lockAccountExclusively, lockUser, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'

/**
 * A step: locks the account of a one-time token and then uses the token up. The account first, as everything else that changes
 * both does, so that no two wait for each other. It may end all access to the account: what requests in flight wrote is there by then.
 * @throws invalid_token
 */
export async function redeemForAccount(
  tx: Transaction,
  { clock }: AccountDeps,
  kinds: OneTimeKind[],
  token: string,
): Promise<{ redeemed: OneTimeToken; user: User }> {
  const { userId } = await peekOneTimeToken(tx, clock, kinds, token)
  await lockAccountExclusively(tx, userId)
  const user = await lockUser(tx, userId)
  if (!user) throw sessionError('invalid_token')
  return { redeemed: await redeemOneTimeToken(tx, clock, kinds, token), user }
}
