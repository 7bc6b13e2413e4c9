import type { RequestOrigin } from '../../platform/http/actor.js'
import { DEFAULT_PASSWORD_POLICY, requireGoodPassword, setPassword } from '../credentials/index.js'
import { openTeamsOf } from '../members/index.js'
import { endSessions, forgetDevices, peekOneTimeToken } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'
import { sendPasswordChanged } from './notify-password-changed.js'
import { type Cleaned, reclaimAccount } from './reclaim-account.js'
import { redeemForAccount } from './redeem-for-account.js'
import { accountKey, clearFailures } from './sign-in-limits.js'
import { withTokenLimit } from './token-limit.js'

/**
 * Sets a password by the mailed link, ends every session, and opens a locked account. A password that fails the rules leaves
 * the link unused. Answers what was taken away from whoever had registered the address before.
 * @throws invalid_token, password_policy, rate_limited
 */
export async function resetPassword(
  deps: AccountDeps,
  token: string,
  newPassword: string,
  origin: RequestOrigin,
): Promise<Cleaned | undefined> {
  const { db, clock, audit, hasher } = deps
  return withTokenLimit(deps, origin, async () => {
    await db.transaction((tx) => peekOneTimeToken(tx, clock, ['password_reset'], token))
    requireGoodPassword(newPassword, DEFAULT_PASSWORD_POLICY, deps.commonPasswords, '/newPassword')
    const hash = await hasher.hash(newPassword)
    return db.transaction(async (tx) => {
      const { user } = await redeemForAccount(tx, deps, ['password_reset'], token)
      const cleaned = await reclaimAccount(tx, deps, user, origin, false)
      await setPassword(tx, clock, user.id, hash)
      const sessionsEnded = await endSessions(tx, clock, { user: user.id }, 'password_reset')
      await clearFailures(tx, deps, 'one-time-token', origin, accountKey(user.email))
      // Whoever knew the old password may have made browsers known to the account.
      const devices = await forgetDevices(tx, user.id)
      await deps.throttle.clear(
        tx,
        devices.map((device) => accountKey(user.email, device)),
      )
      const [team] = await openTeamsOf(tx, user.id)
      await audit.record(tx, { userId: user.id, teamId: team?.id ?? null, origin }, 'user.password_reset', {
        resource: `user:${user.id}`,
        metadata: { sessionsEnded },
      })
      await sendPasswordChanged(tx, deps, user.email, origin)
      return cleaned
    })
  })
}
