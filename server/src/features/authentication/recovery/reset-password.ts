import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { UserId } from '../../../platform/ids.js'
import { logTeamOf } from '../../members/index.js'
import { type PasswordPolicy, strictestPasswordPolicy } from '../../password-policy/index.js'
import { rejectIfReplaced, requireAcceptablePassword, setOwnPassword, unlockAccount } from '../../passwords/index.js'
import { endSessions, peekOneTimeToken } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { sendPasswordChanged } from '../mails.js'
import { cancelDeletion } from '../pipeline/cancel-deletion.js'
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
    const { userId, policy } = await policyOfReset(deps, token)
    const choice = { userId, password: newPassword, policy, path: '/newPassword' }
    const compared = await requireAcceptablePassword(deps, choice)
    const hash = await hasher.hash(newPassword)
    return db.transaction(async (tx) => {
      const { user } = await redeemForAccount(tx, deps, ['password_reset'], token)
      await rejectIfReplaced(tx, user.id, null, compared)
      const { user: verified, cleaned } = await recordVerification(tx, deps, user, origin, null)
      // The owner of the mailbox acts, also if no team admits the sign-in that would cancel it.
      await cancelDeletion(tx, deps, verified, origin)
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

/** Returns the account of a reset link, and the policy that its new password must meet. @throws invalid_token */
const policyOfReset = (
  { db, clock }: AccountDeps,
  token: string,
): Promise<{ userId: UserId; policy: PasswordPolicy }> =>
  db.transaction(async (tx) => {
    const { userId } = await peekOneTimeToken(tx, clock, ['password_reset'], token)
    return { userId, policy: await strictestPasswordPolicy(tx, userId) }
  })

/** Returns the policy that the password of a mailed link must meet. The link stays valid. @throws invalid_token, rate_limited */
export const readResetPolicy = (deps: AccountDeps, token: string, origin: RequestOrigin): Promise<PasswordPolicy> =>
  withTokenLimit(deps, origin, async () => (await policyOfReset(deps, token)).policy)
