import type { RequestOrigin } from '../../../platform/http/actor.js'
import { logTeamOf } from '../../members/index.js'
import { strictestPasswordPolicy } from '../../password-policy/index.js'
import { rejectIfReplaced, requireAcceptablePassword, setOwnPassword, unlockAccount } from '../../passwords/index.js'
import { endSessions, peekOneTimeToken } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { sendPasswordChanged } from '../mails.js'
import { type Cleaned, recordVerification } from '../registration/first-verification.js'
import { endTemporaryCredentials } from './end-temporary-credentials.js'
import { redeemForAccount, withTokenLimit } from './redeem-link.js'

/**
 * Sets a password by the mailed link, ends every session, and unlocks the account. The password must meet the policies of all confirmed
 * teams; one that does not leaves the link valid.
 * @returns what the first verification removed, if this was one
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
      await rejectIfReplaced(tx, user.id, null, compared)
      const { cleaned } = await recordVerification(tx, deps, user, origin, null)
      await setOwnPassword(tx, clock, user.id, hash, newPassword)
      await endTemporaryCredentials(tx, deps, user.id, 'anyone', { userId: user.id, teamId: null, origin })
      const sessionsEnded = await endSessions(tx, clock, { user: user.id, grants: true }, 'password_reset')
      await unlockAccount(tx, deps.throttle, user)
      const teamId = await logTeamOf(tx, user.id, null)
      await audit.record(tx, { userId: user.id, teamId, origin }, 'user.password_reset', {
        resource: `user:${user.id}`,
        metadata: { sessionsEnded },
      })
      await sendPasswordChanged(tx, deps, user.email, origin)
      return cleaned
    })
  })
}
