import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor, RequestOrigin } from '../../../platform/http/actor.js'
import type { SessionId, TeamId, UserId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { requireUnrestrictedFactor } from '../../mfa/index.js'
import { lockSession, requireRecentAuthentication, requireUnrestricted } from '../../sessions/index.js'
import { domainAllowed, readSettings } from '../../settings/index.js'
import { findUserByEmail, lockUser, normalizeEmail } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { changeEmailMail, emailChangeRequestedMail, emailInUseMail } from '../mails.js'
import { sendRequestedLink } from '../recovery/send-requested-link.js'
import { isPlaceholder } from './absorb-placeholder.js'

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

/**
 * Enqueues a change of the user's email address. The job, not the request, looks up whether the new email address already has an account, so
 * that neither the response nor its timing reveals it.
 * @throws reauthentication_required, team_sign_in_required, sign_up_not_allowed, invalid_request if it is already the user's email address
 */
export async function requestEmailChange(deps: AccountDeps, actor: Actor, email: string): Promise<void> {
  const { db, clock, jobs } = deps
  requireRecentAuthentication(clock, actor)
  const to = normalizeEmail(email)
  if (to === actor.user.email)
    throw platformError('invalid_request', {
      detail: 'This is already your email address',
      errors: [{ path: '/email', message: 'must differ from the current email address' }],
    })
  await db.transaction(async (tx) => {
    requireUnrestricted(actor)
    await requireUnrestrictedFactor(tx, actor)
    if (!domainAllowed(to, (await readSettings(tx)).allowedDomains)) throw rejection('sign_up_not_allowed')
    const payload: EmailChangeRequest = {
      userId: actor.userId,
      teamId: actor.teamId,
      sessionId: actor.sessionId,
      from: actor.user.email,
      to,
      origin: actor.origin,
    }
    await jobs.enqueue(tx, 'accounts.change_email', { ...payload })
  })
}

/** Sends the confirmation link to the new email address, or a notice that it is in use, and a notification to the current email address. */
export const changeEmailJob = (deps: AccountDeps): JobKind => ({
  kind: 'accounts.change_email',
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
