import type { Transaction } from '../../../platform/db/database.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { peekOneTimeToken, requireActiveSession, requireUnrestricted } from '../../sessions/index.js'
import { lockUser, markEmailVerified, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { clearFailures } from '../limits/sign-in-limits.js'
import { withTokenLimit } from '../limits/token-limit.js'
import { verifyEmailMail } from '../mails.js'
import { redeemForAccount } from '../recovery/redeem-for-account.js'
import { sendRequestedLink } from '../recovery/send-requested-link.js'
import { endAllButSession } from './end-all-but-session.js'

/**
 * Verifies the caller's email address by the mailed link. Requires a session of the account itself: the recipient of the link may be the
 * owner of the email address who never created the account.
 * @throws invalid_token, wrong_account (the link stays unused), rate_limited
 */
export async function verifyEmail(deps: AccountDeps, actor: SessionActor, token: string): Promise<void> {
  const { db, clock, audit } = deps
  await withTokenLimit(deps, actor.origin, () =>
    db.transaction(async (tx) => {
      const { userId } = await peekOneTimeToken(tx, clock, ['verify_email'], token)
      if (userId !== actor.userId) throw rejection('wrong_account')
      requireUnrestricted(actor)
      const { user } = await redeemForAccount(tx, deps, ['verify_email'], token)
      await requireActiveSession(tx, clock, actor)
      await clearFailures(tx, deps, ['one-time-token'], actor.origin)
      if (!(await markEmailVerified(tx, clock, userId))) return
      await audit.record(tx, actor, 'user.email_verified', { resource: `user:${userId}` })
      await endAllButSession(tx, deps, user, actor.sessionId, actor.origin, actor.teamId)
    }),
  )
}

/** Mails the caller another link; earlier ones stay valid. Does nothing for a verified email address. */
export async function resendVerification(deps: AccountDeps, actor: SessionActor): Promise<void> {
  const { db, audit } = deps
  await db.transaction(async (tx) => {
    requireUnrestricted(actor)
    const user = await lockUser(tx, actor.userId)
    if (!user || user.emailVerifiedAt) return
    const sent = await sendVerification(tx, deps, user)
    await audit.record(tx, actor, 'user.link_requested', {
      result: sent ? 'SUCCESS' : 'DENIED',
      resource: `user:${user.id}`,
      metadata: { kind: 'verify_email' },
    })
  })
}

/** Mails the link that verifies the email address. Returns false if the mail limit is reached. Runs in the caller's transaction. */
export function sendVerification(
  tx: Transaction,
  deps: AccountDeps,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<boolean> {
  const link = { kind: 'verify_email', userId: id, email } as const
  return sendRequestedLink(tx, deps, { mail: verifyEmailMail, to: email, link }, (token) => ({
    url: `${deps.config.frontendUrl}/verify-email?token=${token}`,
    email,
  }))
}
