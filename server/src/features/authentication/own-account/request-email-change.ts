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
import { addressInUseMail, changeEmailMail, emailChangeRequestedMail } from '../mails.js'
import { sendRequestedLink } from '../recovery/send-requested-link.js'
import { isPlaceholder } from './absorb-placeholder.js'

interface Asked {
  userId: UserId
  teamId: TeamId
  /** The session that requested it: nothing is sent once it ended. */
  sessionId: SessionId
  /** The address at the time: a link for an account that has another by then is not made. */
  from: string
  to: string
  origin: RequestOrigin
}

/**
 * Notes that the caller wants another address, and nothing else: whether it has an account is looked up by a job, so that neither
 * the answer nor its time can tell.
 * @throws reauthentication_required, team_sign_in_required, sign_up_not_allowed, invalid_request for the address that it is already
 */
export async function requestEmailChange(deps: AccountDeps, actor: Actor, email: string): Promise<void> {
  const { db, clock, jobs } = deps
  requireRecentAuthentication(clock, actor)
  const to = normalizeEmail(email)
  if (to === actor.user.email)
    throw platformError('invalid_request', {
      detail: 'That is your address already',
      errors: [{ path: '/email', message: 'must be another address' }],
    })
  await db.transaction(async (tx) => {
    requireUnrestricted(actor)
    await requireUnrestrictedFactor(tx, actor)
    if (!domainAllowed(to, (await readSettings(tx)).allowedDomains)) throw rejection('sign_up_not_allowed')
    const asked: Asked = {
      userId: actor.userId,
      teamId: actor.teamId,
      sessionId: actor.sessionId,
      from: actor.user.email,
      to,
      origin: actor.origin,
    }
    await jobs.enqueue(tx, 'accounts.change_email', { ...asked })
  })
}

/** Mails the link to the new address, or there that it is in use; and to the old one that this was asked for. */
export const changeEmailJob = (deps: AccountDeps): JobKind => ({
  kind: 'accounts.change_email',
  run: (payload) => sendLinks(deps, payload as unknown as Asked),
})

async function sendLinks(deps: AccountDeps, asked: Asked): Promise<void> {
  const { db, clock, audit, mailer, config } = deps
  const { userId, teamId, sessionId, from, to, origin } = asked
  await db.transaction(async (tx) => {
    // Locked: of two requests for different addresses the later one ends the links of the earlier.
    const user = await lockUser(tx, userId)
    if (user?.status !== 'active' || user.email !== from) return
    if (!(await lockSession(tx, clock, sessionId))) return
    const holder = await findUserByEmail(tx, to)
    const isTaken = holder !== undefined && !(await isPlaceholder(tx, holder))
    const link = { kind: 'change_email', userId, email: from, data: { to, session: sessionId } } as const
    const sent = isTaken
      ? await sendAddressInUse(tx, deps, to)
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

async function sendAddressInUse(tx: Transaction, { mailer, config }: AccountDeps, to: string): Promise<boolean> {
  if (!(await mailer.maySend(tx, addressInUseMail, to))) return false
  await mailer.send(tx, addressInUseMail, to, { url: `${config.frontendUrl}/login` })
  return true
}
