import type { RequestOrigin } from '../../platform/http/actor.js'
import { refuseIfReplaced, requireAcceptablePassword, setPassword, unlockAccount } from '../credentials/index.js'
import { openTeamsOf } from '../members/index.js'
import { strictestPasswordPolicy } from '../policies/index.js'
import { endSessions, peekOneTimeToken } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'
import { sendPasswordChanged } from './notify-password-changed.js'
import { type Cleaned, reclaimAccount } from './reclaim-account.js'
import { redeemForAccount } from './redeem-for-account.js'
import { clearFailures } from './sign-in-limits.js'
import { withTokenLimit } from './token-limit.js'

/**
 * Sets a password by the mailed link, ends every session, and opens a locked account. The password meets the rules of every
 * team that counts for the account; one that fails leaves the link unused. Answers what was taken away from whoever had
 * registered the address before.
 * @throws invalid_token, password_policy, password_replaced, rate_limited
 */
export async function resetPassword(
  deps: AccountDeps,
  token: string,
  newPassword: string,
  origin: RequestOrigin,
): Promise<Cleaned | undefined> {
  const { db, clock, audit, hasher } = deps
  return withTokenLimit(deps, origin, async () => {
    const { userId } = await db.transaction((tx) => peekOneTimeToken(tx, clock, ['password_reset'], token))
    const policy = await strictestPasswordPolicy(db, userId)
    const choice = { userId, password: newPassword, policy, path: '/newPassword' }
    const compared = await requireAcceptablePassword(deps, choice)
    const hash = await hasher.hash(newPassword)
    return db.transaction(async (tx) => {
      const { user } = await redeemForAccount(tx, deps, ['password_reset'], token)
      await refuseIfReplaced(tx, user.id, compared)
      const cleaned = await reclaimAccount(tx, deps, user, origin, false)
      await setPassword(tx, clock, user.id, hash)
      const sessionsEnded = await endSessions(tx, clock, { user: user.id, grants: true }, 'password_reset')
      await clearFailures(tx, deps, ['one-time-token'], origin)
      await unlockAccount(tx, deps.throttle, user)
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
