import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { causeOf } from '../../../platform/mail/mailer.js'
import type { MemberActor, UserDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { lockUserOfTeam } from '../lock-user-of-team.js'
import { sendWelcome, type WelcomeSender } from '../send-welcome.js'

/** A job of the module `authentication`: issues and mails a link, within the team's own limit of mails. */
const SEND_LINK_JOB = 'accounts.send_link_for_team'

/** Mails another sign-in link like `resendWelcomeTo`. */
export const resendWelcome = (deps: UserDeps, actor: Actor, id: string): Promise<void> =>
  deps.db.transaction((tx) => resendWelcomeTo(tx, deps, actor, id))

/**
 * Mails another sign-in link to a user who has not signed in yet; earlier ones stay valid. Runs in the caller's transaction.
 * @throws user_not_found, not_pending, rate_limited
 */
export async function resendWelcomeTo(
  tx: Transaction,
  deps: UserDeps,
  actor: MemberActor & WelcomeSender,
  id: string,
): Promise<void> {
  const { account, membership } = await lockUserOfTeam(tx, actor.teamId, id)
  if (membership.status !== 'pending') throw rejection('not_pending')
  await sendWelcome(tx, deps, actor, account)
  await deps.audit.record(tx, actor, 'user.link_requested', {
    resource: `user:${account.id}`,
    metadata: { kind: 'welcome' },
  })
}

/** Mails a link to choose a new password like `mailResetTo`. */
export const mailPasswordReset = (deps: UserDeps, actor: Actor, id: string): Promise<void> =>
  deps.db.transaction((tx) => mailResetTo(tx, deps, actor, id))

/**
 * Mails the user a link to choose a new password, which they could also request themselves. Runs in the caller's transaction.
 * @throws user_not_found, rate_limited for a caller with an unverified email address
 */
export async function mailResetTo(
  tx: Transaction,
  deps: UserDeps,
  actor: MemberActor & WelcomeSender,
  id: string,
): Promise<void> {
  const { account } = await lockUserOfTeam(tx, actor.teamId, id)
  const cause = causeOf(actor)
  await deps.mailer.admitRecipient(tx, account.email, cause)
  const link = { kind: 'password_reset', email: account.email, origin: actor.origin, cause }
  await deps.jobs.enqueue(tx, SEND_LINK_JOB, link, actor.teamId)
  await deps.audit.record(tx, actor, 'user.link_requested', {
    resource: `user:${account.id}`,
    metadata: { kind: 'password_reset', forUser: true },
  })
}
