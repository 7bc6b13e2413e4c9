import type { Transaction } from '../../../platform/db/database.js'
import { isUniqueViolation } from '../../../platform/db/database-errors.js'
import { rejection as platformError } from '../../../platform/errors.js'
import { type Actor, type RequestOrigin, type SessionActor, withoutLocation } from '../../../platform/http/actor.js'
import type { SessionId, TeamId, UserId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { queueKeyOf } from '../../../platform/jobs/queue-key.js'
import { throttleKey } from '../../../platform/throttle/throttle.js'
import type { AuditSubject } from '../../audit/index.js'
import { deleteUnconfirmedMemberships, lockTeamsOf, recordLimits } from '../../members/index.js'
import { requireUnrestrictedFactor, unrestrictedFactors } from '../../mfa/index.js'
import { currentPassword } from '../../passwords/index.js'
import {
  endSessions,
  hasEnded,
  lockSession,
  peekOneTimeToken,
  requireActiveSession,
  requireRecentAuthentication,
  requireUnrestricted,
  sessionError,
} from '../../sessions/index.js'
import { domainAllowed, readSettings } from '../../settings/index.js'
import { revokeTeamAccess } from '../../user-management/index.js'
import {
  deleteUser,
  findUserByEmail,
  lockUser,
  lockUsersByEmail,
  normalizeEmail,
  type User,
  writeEmail,
} from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { admitLinkRequest } from '../limits/sign-in-limits.js'
import { changeEmailMail, emailChangedMail, emailChangeRequestedMail, emailInUseMail } from '../mails.js'
import { redeemForAccount, redeemInTransaction } from '../recovery/redeem-link.js'
import { sendRequestedLink } from '../recovery/request-link.js'
import { isUnverified } from '../registration/first-verification.js'

interface EmailChangeRequest {
  userId: UserId
  teamId: TeamId
  /** The session that sent the request. No mail is sent if it was revoked or has expired since. */
  sessionId: SessionId
  /** The email address at the time of the request. No mail is sent if it has changed since. */
  from: string
  to: string
  origin: RequestOrigin
}

const CHANGE_EMAIL_JOB = 'accounts.change_email'

/**
 * Enqueues a change of the user's email address. The job, not the request, looks up whether the new email address already has an account, so
 * that neither the response nor its timing reveals it. Replaces the earlier requests of the account that still wait.
 * @throws reauthentication_required, team_sign_in_required, sign_up_not_allowed, invalid_request if it is already the user's email address,
 * rate_limited beyond the hourly limit of the account or of the source
 */
export async function requestEmailChange(deps: AccountDeps, actor: Actor, email: string): Promise<void> {
  const { db, clock, jobs, throttle, config } = deps
  requireUnrestricted(actor)
  requireRecentAuthentication(clock, actor)
  const from = actor.user.email
  const to = normalizeEmail(email)
  if (to === from)
    throw platformError('invalid_request', {
      detail: 'This is already your email address',
      errors: [{ path: '/email', message: 'must differ from the current email address' }],
    })
  // A request beyond the limit of the account does not count for the source.
  await throttle.admitHourly(db, throttleKey('email_change', actor.userId), config.limits.mails)
  await admitLinkRequest(deps, actor.origin)
  await db.transaction(async (tx) => {
    await requireUnrestrictedFactor(tx, actor)
    if (!domainAllowed(to, (await readSettings(tx)).allowedDomains)) throw rejection('sign_up_not_allowed')
    const { userId, teamId, sessionId, origin } = actor
    const payload = { userId, teamId, sessionId, from, to, origin } satisfies EmailChangeRequest
    await jobs.replaceWaiting(tx, CHANGE_EMAIL_JOB, payload, queueKeyOf('email_change', userId))
  })
}

/**
 * Sends the confirmation link to the new email address, or a notice that it is in use, and a notification to the current email address. The
 * jobs occupy no worker: those of one account wait for the same row, and links that other users requested must not wait for them.
 */
export const changeEmailJob = (deps: AccountDeps): JobKind => ({
  kind: CHANGE_EMAIL_JOB,
  aside: true,
  concurrency: 1,
  perTeam: 1,
  run: (payload) => sendMails(deps, payload as unknown as EmailChangeRequest),
})

async function sendMails(deps: AccountDeps, request: EmailChangeRequest): Promise<void> {
  const { db, clock, audit, mailer, config } = deps
  const { userId, teamId, sessionId, from, to, origin } = request
  await db.transaction(async (tx) => {
    // The lock serializes two requests, so that the later one revokes the link of the earlier one.
    const user = await lockUser(tx, userId)
    if (user?.status !== 'active' || user.email !== from) return
    if (!(await lockSession(tx, clock, sessionId))) return
    const existing = await findUserByEmail(tx, to)
    const isInUse = existing !== undefined && !(await isPlaceholder(tx, existing))
    const link = { kind: 'change_email', userId, email: from, data: { to, session: sessionId } } as const
    const sent = isInUse
      ? await sendEmailInUse(tx, deps, to)
      : await sendRequestedLink(tx, deps, { mail: changeEmailMail, to, link }, (token) => ({
          url: `${config.frontendUrl}/confirm-email?token=${token}`,
          from,
          to,
        }))
    if (sent && (await mailer.maySend(tx, emailChangeRequestedMail, from)))
      await mailer.send(tx, emailChangeRequestedMail, from, { to, url: `${config.frontendUrl}/forgot-password` })
    await audit.record(tx, { userId, teamId, origin }, 'user.link_requested', {
      result: sent ? 'SUCCESS' : 'DENIED',
      resource: `user:${userId}`,
      metadata: { kind: 'change_email', to },
    })
  })
}

async function sendEmailInUse(tx: Transaction, { mailer, config }: AccountDeps, to: string): Promise<boolean> {
  if (!(await mailer.maySend(tx, emailInUseMail, to))) return false
  await mailer.send(tx, emailInUseMail, to, { url: `${config.frontendUrl}/login` })
  return true
}

/**
 * Changes the email address to the one to which the link was mailed, which verifies it. Requires a session of the account itself: the user
 * may have mistyped the address, and the recipient of the link must not gain access. Links that were mailed to the old address are revoked;
 * sessions stay valid. The memberships of a placeholder account with the new address move to this account.
 * @throws invalid_token, wrong_account (the link stays unused), email_taken, sign_up_not_allowed, team_sign_in_required, rate_limited
 */
export async function confirmEmailChange(deps: AccountDeps, actor: SessionActor, token: string): Promise<void> {
  const { clock, audit, mailer } = deps
  await redeemInTransaction(deps, actor.origin, async (tx) => {
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
    await recordLimits(tx, clock, userId, [user.email, to])
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
    await audit.record(tx, actor, 'user.email_changed', {
      resource: `user:${userId}`,
      metadata: { from: user.email, to },
    })
    if (await mailer.maySend(tx, emailChangedMail, user.email))
      await mailer.send(tx, emailChangedMail, user.email, { to, ip: actor.origin.ip })
  })
}

/**
 * Returns whether an account is a placeholder: a team inserted it, its email address is unverified, and it has no unrestricted credentials.
 * Runs in the caller's transaction.
 */
async function isPlaceholder(tx: Transaction, user: User): Promise<boolean> {
  if (!isUnverified(user) || user.selfRegistered || !user.madeByTeamId || user.status !== 'active') return false
  return !(await currentPassword(tx, user.id, null)) && (await unrestrictedFactors(tx, user.id)).length === 0
}

/**
 * Moves the memberships of a placeholder, unconfirmed, to the account that has verified its email address. Deletes the placeholder and
 * every credential that a team had set for it. Runs in the caller's transaction, which has locked both accounts.
 */
async function absorbPlaceholder(
  tx: Transaction,
  { clock, audit, endTemporaryOf, moveMemberships }: AccountDeps,
  placeholder: User,
  subject: AuditSubject & { userId: User['id'] },
): Promise<void> {
  const { id, email } = placeholder
  const teams = await lockTeamsOf(tx, id)
  await endSessions(tx, clock, { user: id, grants: true }, 'removed')
  const seenIn = (teamId: TeamId) => ({ userId: subject.userId, teamId, origin: withoutLocation(subject.origin) })
  for (const teamId of teams) endTemporaryOf(tx, { userId: id, teamId }, seenIn(teamId))
  const moved = new Map(
    (await moveMemberships(tx, clock, id, subject.userId)).map(({ teamId, role }) => [teamId, role]),
  )
  await deleteUser(tx, id)
  const metadata = { email, addressChanged: true }
  for (const teamId of teams) {
    const role = moved.get(teamId)
    const seen = seenIn(teamId)
    await audit.record(tx, seen, 'member.removed', { resource: `user:${id}`, metadata })
    if (role)
      await audit.record(tx, seen, 'member.added', {
        resource: `user:${subject.userId}`,
        metadata: { role, ...metadata },
      })
  }
  await audit.record(tx, { ...subject, teamId: null }, 'user.deleted', { resource: `user:${id}`, metadata })
  // The address belongs to the account of the subject now.
  await audit.eraseUserLater(tx, { id })
}
