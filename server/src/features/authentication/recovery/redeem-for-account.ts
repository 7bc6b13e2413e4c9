import type { Transaction } from '../../../platform/db/database.js'
import {
  type OneTimeToken,
  type OneTimeTokenKind,
  peekOneTimeToken,
  redeemOneTimeToken,
  sessionError,
} from '../../sessions/index.js'
import { lockAccountExclusively, lockUser, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'

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
