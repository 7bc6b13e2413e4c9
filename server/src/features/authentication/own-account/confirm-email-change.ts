import { isUniqueViolation } from '../../../platform/db/database-errors.js'
import { type SessionActor, withoutLocation } from '../../../platform/http/actor.js'
import { deleteUnconfirmedMemberships, recordSuspensions } from '../../members/index.js'
import { requireUnrestrictedFactor } from '../../mfa/index.js'
import {
  hasEnded,
  peekOneTimeToken,
  requireActiveSession,
  requireUnrestricted,
  sessionError,
} from '../../sessions/index.js'
import { domainAllowed, readSettings } from '../../settings/index.js'
import { revokeTeamAccess } from '../../user-management/index.js'
import { findUserByEmail, lockUsersByEmail, writeEmail } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { clearFailures } from '../limits/sign-in-limits.js'
import { withTokenLimit } from '../limits/token-limit.js'
import { emailChangedMail } from '../mails.js'
import { redeemForAccount } from '../recovery/redeem-for-account.js'
import { absorbPlaceholder, isPlaceholder } from './absorb-placeholder.js'

/**
 * Changes the email address to the one to which the link was mailed, which verifies it. Requires a session of the account itself: the user
 * may have mistyped the address, and the recipient of the link must not gain access. Links that were mailed to the old address are revoked;
 * sessions stay valid. The memberships of a placeholder account with the new address move to this account.
 * @throws invalid_token, wrong_account (the link stays unused), email_taken, sign_up_not_allowed, team_sign_in_required, rate_limited
 */
export async function confirmEmailChange(deps: AccountDeps, actor: SessionActor, token: string): Promise<void> {
  const { db, clock, audit, mailer } = deps
  await withTokenLimit(deps, actor.origin, () =>
    db.transaction(async (tx) => {
      const { userId, email, data } = await peekOneTimeToken(tx, clock, ['change_email'], token)
      if (userId !== actor.userId) throw rejection('wrong_account')
      requireUnrestricted(actor)
      const locked = typeof data.to === 'string' ? await lockUsersByEmail(tx, [email, data.to]) : []
      const { redeemed, user } = await redeemForAccount(tx, deps, ['change_email'], token)
      // The session may have ended since the request was authenticated, for example by the first verification.
      await requireActiveSession(tx, clock, actor)
      await requireUnrestrictedFactor(tx, actor)
      const { to, session } = redeemed.data
      // A session that was ended, for example by a new password, may have been that of a third party.
      if (typeof to !== 'string' || (typeof session === 'string' && (await hasEnded(tx, session))))
        throw sessionError('invalid_token')
      if (!domainAllowed(to, (await readSettings(tx)).allowedDomains)) throw rejection('sign_up_not_allowed')
      const holder = await findUserByEmail(tx, to)
      // A placeholder that was inserted after the lock is not locked. The link stays valid for another attempt.
      const isLocked = locked.some(({ id }) => id === holder?.id)
      if (holder && !(isLocked && (await isPlaceholder(tx, holder)))) throw rejection('email_taken')
      await recordSuspensions(tx, clock, userId, [user.email, to])
      // Unconfirmed memberships belong to the owner of the previous email address.
      for (const teamId of await deleteUnconfirmedMemberships(tx, userId, to)) {
        const subject = { userId, teamId, origin: withoutLocation(actor.origin) }
        await revokeTeamAccess(tx, deps, userId, teamId, 'removed', subject)
        await audit.record(tx, subject, 'member.removed', {
          resource: `user:${userId}`,
          metadata: { email: user.email, addressChanged: true },
        })
      }
      // Those of the placeholder belong to the owner of the new one.
      if (holder) await absorbPlaceholder(tx, deps, holder, { userId, teamId: null, origin: actor.origin })
      await writeEmail(tx, clock, userId, to, { proven: true }).catch((error: unknown) => {
        throw isUniqueViolation(error, 'users_email') ? rejection('email_taken') : error
      })
      await clearFailures(tx, deps, ['one-time-token'], actor.origin)
      await audit.record(tx, actor, 'user.email_changed', {
        resource: `user:${userId}`,
        metadata: { from: user.email, to },
      })
      if (await mailer.maySend(tx, emailChangedMail, user.email))
        await mailer.send(tx, emailChangedMail, user.email, { to, ip: actor.origin.ip })
    }),
  )
}
