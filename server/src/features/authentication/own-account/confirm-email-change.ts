import { isUniqueViolation } from '../../../platform/db/database-errors.js'
import { type SessionActor, withoutPlace } from '../../../platform/http/actor.js'
import { dropUnconfirmed, recordSuspensions } from '../../members/index.js'
import { requireUnrestrictedFactor } from '../../mfa/index.js'
import {
  hasEnded,
  peekOneTimeToken,
  requireLiveSession,
  requireUnrestricted,
  sessionError,
} from '../../sessions/index.js'
import { domainAllowed, readSettings } from '../../settings/index.js'
import { endEverythingInTeam } from '../../user-management/index.js'
import { findUserByEmail, lockUsersByEmail, writeEmail } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { clearFailures } from '../limits/sign-in-limits.js'
import { withTokenLimit } from '../limits/token-limit.js'
import { emailChangedMail } from '../mails.js'
import { redeemForAccount } from '../recovery/redeem-for-account.js'
import { absorbPlaceholder, isPlaceholder } from './absorb-placeholder.js'

/**
 * Gives the account the address to which the link was sent; it is proven by that. Only the account itself may: whoever typed the
 * address may have mistyped it, and then a stranger has the link, who must not get the account by it. Every link that went to the
 * old address is dead from then on; sessions stay. An account that teams merely inserted for the new address gives its memberships to this
 * one.
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
      // Ended since the request was admitted, as by the first verification.
      await requireLiveSession(tx, clock, actor)
      await requireUnrestrictedFactor(tx, actor)
      const { to, session } = redeemed.data
      // A session that was ended, by a new password for example, may have been a third party's.
      if (typeof to !== 'string' || (typeof session === 'string' && (await hasEnded(tx, session))))
        throw sessionError('invalid_token')
      if (!domainAllowed(to, (await readSettings(tx)).allowedDomains)) throw rejection('sign_up_not_allowed')
      const holder = await findUserByEmail(tx, to)
      // One that a team inserted after the lock is not locked: the link stays valid, and the next attempt finds it.
      const isLocked = locked.some(({ id }) => id === holder?.id)
      if (holder && !(isLocked && (await isPlaceholder(tx, holder)))) throw rejection('email_taken')
      await recordSuspensions(tx, clock, userId, [user.email, to])
      // Teams that merely added the previous address meant its owner.
      for (const teamId of await dropUnconfirmed(tx, userId, to)) {
        const subject = { userId, teamId, origin: withoutPlace(actor.origin) }
        await endEverythingInTeam(tx, deps, userId, teamId, 'removed', subject)
        await audit.record(tx, subject, 'member.removed', {
          resource: `user:${userId}`,
          metadata: { email: user.email, addressChanged: true },
        })
      }
      // They meant the owner of the new one.
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
