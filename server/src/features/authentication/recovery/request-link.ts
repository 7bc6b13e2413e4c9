import type { Transaction } from '../../../platform/db/database.js'
import { type RequestOrigin, withoutLocation } from '../../../platform/http/actor.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { queueKeyOf } from '../../../platform/jobs/queue-key.js'
import type { MailKind } from '../../../platform/mail/mail-kind.js'
import type { MailCause } from '../../../platform/mail/mailer.js'
import { sourceOf } from '../../../platform/throttle/throttle.js'
import { logTeamOf } from '../../members/index.js'
import { type RequestedLink, requestedLink } from '../../sessions/index.js'
import { findUserByEmail, lockUser, normalizeEmail } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { admitLinkRequest } from '../limits/sign-in-limits.js'
import { magicLinkMail, passwordResetMail } from '../mails.js'
import { isUnverified } from '../registration/first-verification.js'

const KINDS = {
  magic_link: { mail: magicLinkMail, path: '/auth/verify' },
  password_reset: { mail: passwordResetMail, path: '/reset-password' },
} as const

type LinkKind = keyof typeof KINDS

interface LinkRequest {
  kind: LinkKind
  email: string
  origin: RequestOrigin
  /** The team and the administrator who requested the link for the user. */
  cause?: MailCause
}

/**
 * Enqueues a request for a link. A job looks up whether the email address has an account, so that neither the response nor its timing reveals
 * it.
 * @throws rate_limited beyond the hourly limit of the source
 */
export async function requestLink(deps: AccountDeps, kind: LinkKind, email: string, origin: RequestOrigin) {
  await admitLinkRequest(deps, origin)
  const payload = { kind, email: normalizeEmail(email), origin }
  const queueKey = queueKeyOf('link', sourceOf(origin.ip))
  await deps.db.transaction((tx) => deps.jobs.enqueue(tx, 'accounts.send_link', payload, queueKey))
}

/** Links that a node issues concurrently, each for a request of another source. */
const CONCURRENCY = 4

/**
 * Issues and mails the link, if the email address has an account that is not suspended. The sources of requests are served round-robin: a
 * thousand requests of one source delay a link that another user requested by one job. Requests of a team's administrators are a separate
 * job kind.
 */
export function sendLinkJobs(deps: AccountDeps): JobKind[] {
  const run: JobKind['run'] = (payload) => sendLink(deps, payload as unknown as LinkRequest)
  return [
    { kind: 'accounts.send_link', aside: true, concurrency: CONCURRENCY, perTeam: 1, run },
    { kind: 'accounts.send_link_for_team', aside: true, concurrency: 2, perTeam: 1, run },
  ]
}

async function sendLink(deps: AccountDeps, { kind, email, origin, cause }: LinkRequest): Promise<void> {
  const { db, audit, config } = deps
  const { mail, path } = KINDS[kind]
  await db.transaction(async (tx) => {
    const found = await findUserByEmail(tx, email)
    // Locked, so that concurrent requests issue at most five links.
    const user = found && (await lockUser(tx, found.id))
    if (user?.status !== 'active') return
    const address = kind === 'password_reset' ? `&email=${encodeURIComponent(email)}` : ''
    const link = { kind, userId: user.id, email }
    const sent = await sendRequestedLink(tx, deps, { mail, to: email, link, cause }, (token) => ({
      url: `${config.frontendUrl}${path}?token=${token}${address}`,
    }))
    const teamId = await logTeamOf(tx, user.id, cause?.teamId ?? null)
    // Anyone can register an address that is not theirs: the registrant's team must not learn where its owner is.
    const isHidden = !cause && user.selfRegistered && isUnverified(user)
    const subject = { userId: user.id, teamId, origin: isHidden ? withoutLocation(origin) : origin }
    await audit.record(tx, subject, 'user.link_requested', {
      result: sent ? 'SUCCESS' : 'DENIED',
      resource: `user:${user.id}`,
      metadata: { kind },
    })
  })
}

/**
 * Mails a requested link. Beyond the hourly limit, the newest valid link is sent again, at most once a minute. Returns false if no mail was
 * sent. Runs in the caller's transaction, which has locked the account.
 * @param to the recipient, which may differ from the email address of the account
 * @param cause the team whose administrator requested the link: the limit of the team applies, and no link is sent again
 * @param valuesFor returns the values of the mail with this token
 */
export async function sendRequestedLink<Values extends Record<string, string | number | null>>(
  tx: Transaction,
  { clock, keys, mailer }: AccountDeps,
  { mail, to, link, cause }: { mail: MailKind<Values>; to: string; link: RequestedLink; cause?: MailCause | undefined },
  valuesFor: (token: string) => Values,
): Promise<boolean> {
  const withinLimit = await mailer.maySend(tx, mail, to, cause)
  if (!withinLimit && (cause || !(await mailer.mayRepeat(tx, mail, to)))) return false
  const token = await requestedLink(tx, { clock, keys }, link, { repeatOnly: !withinLimit })
  await mailer.send(tx, mail, to, valuesFor(token), cause)
  return true
}
