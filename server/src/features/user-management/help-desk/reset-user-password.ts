import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { causeOf } from '../../../platform/mail/mailer.js'
import { quotedTeam } from '../../../platform/mail/quoted-team.js'
import { API_TOKENS, requireActiveSetter, revokeTokensOf } from '../../access-tokens/index.js'
import { requireCompliantPassword, setPassword, unlockTeam } from '../../passwords/index.js'
import { requireRoleWithin } from '../../permissions/index.js'
import { passwordPolicyOf } from '../../policies/index.js'
import { endSessions } from '../../sessions/index.js'
import type { UserDeps } from '../deps.js'
import { hashForMember } from '../hash-for-member.js'
import { type LockedUser, lockUserOfTeam } from '../lock-user-of-team.js'
import { temporaryPasswordMail } from '../mails.js'

/** A job of the module `authentication`: issues and mails a link, within the team's own limit of mails. */
const SEND_LINK_JOB = 'accounts.send_link_for_team'

/**
 * Mails the user a link to choose a new password, which they could also request themselves.
 * @throws user_not_found, rate_limited for a caller with an unverified email address
 */
export function mailPasswordReset(deps: UserDeps, actor: Actor, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const { account } = await lockUserOfTeam(tx, actor.teamId, id)
    const cause = causeOf(actor)
    await deps.mailer.admitRecipient(tx, account.email, cause)
    const link = { kind: 'password_reset', email: account.email, origin: actor.origin, cause }
    await deps.jobs.enqueue(tx, SEND_LINK_JOB, link, actor.teamId)
    await deps.audit.record(tx, actor, 'user.link_requested', {
      resource: `user:${account.id}`,
      metadata: { kind: 'password_reset', forUser: true },
    })
  })
}

/**
 * Sets a temporary password for a member, restricted to this team, ends the user's sessions in it and notifies the user. Reveals nothing
 * about the account's other passwords.
 * @throws user_not_found, role_protected, password_policy, forbidden for the caller's own account, rate_limited for a caller with an
 *   unverified email address
 */
export async function setTemporaryPassword(deps: UserDeps, actor: Actor, id: string, password: string): Promise<void> {
  const { db, clock, audit, mailer, config, verifiedDomains } = deps
  // Authorize before the expensive hashing.
  const { account: member } = await db.transaction((tx) => lockTarget(tx, actor, id))
  const policy = await passwordPolicyOf(db, actor.teamId)
  requireCompliantPassword(password, policy, deps.commonPasswords, '/temporaryPassword')
  const hash = await hashForMember(deps, actor.teamId, password)

  await db.transaction(async (tx) => {
    const { account } = await lockTarget(tx, actor, member.id)
    const temporarySetBy = await requireActiveSetter(tx, clock, actor)
    const { teamId } = actor
    const cause = causeOf(actor)
    await mailer.admitRecipient(tx, account.email, cause)
    const given = { hash, restrictedTo: teamId, isTemporary: true, temporarySetBy }
    await setPassword(tx, clock, account.id, given, password)
    await unlockTeam(tx, deps.throttle, account, teamId)
    await revokeTokensOf(tx, clock, API_TOKENS, account.id, { team: teamId })
    const sessionsEnded = await endSessions(tx, clock, { user: account.id, team: teamId }, 'password_given')
    await audit.record(tx, actor, 'user.password_given', {
      resource: `user:${account.id}`,
      metadata: { sessionsEnded },
    })
    if (!(await mailer.maySend(tx, temporaryPasswordMail, account.email, cause))) return
    const values = {
      team: quotedTeam(actor.team.name, await verifiedDomains.domainOfTeam(tx, teamId, account.email)),
      when: `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      url: `${config.frontendUrl}/forgot-password`,
    }
    await mailer.send(tx, temporaryPasswordMail, account.email, values, cause)
  })
}

/**
 * Locks a member whose credentials the caller may reset. Runs in the caller's transaction.
 * @throws user_not_found, role_protected, forbidden
 */
async function lockTarget(tx: Transaction, actor: Actor, id: string): Promise<LockedUser> {
  const user = await lockUserOfTeam(tx, actor.teamId, id)
  if (user.account.id === actor.userId)
    throw platformError('forbidden', { detail: 'Change your own password in your account settings' })
  requireRoleWithin(actor, user.membership.role)
  return user
}
