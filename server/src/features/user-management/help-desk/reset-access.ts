import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { causeOf } from '../../../platform/mail/mailer.js'
import { quotedTeam } from '../../../platform/mail/quoted-team.js'
import { API_TOKENS, lockCallerForTemporaryPassword, revokeTokensOf } from '../../access-tokens/index.js'
import { updateMembership } from '../../members/index.js'
import { requiresFactor, resetFactorsInTeam, sendFactorMail, validFactors } from '../../mfa/index.js'
import { setPassword, unlockTeam } from '../../passwords/index.js'
import { requireRoleWithin } from '../../permissions/index.js'
import { endSessions } from '../../sessions/index.js'
import type { MemberActor, UserDeps } from '../deps.js'
import { type LockedUser, lockUserOfTeam } from '../lock-user-of-team.js'
import { temporaryPasswordMail } from '../mails.js'
import type { WelcomeSender } from '../send-welcome.js'
import { hashTemporaryPassword } from '../temporary-password.js'

/** Revokes the sessions of a user like `endSessionsOf`. */
export const endUserSessions = (deps: UserDeps, actor: Actor, id: string): Promise<number> =>
  deps.db.transaction((tx) => endSessionsOf(tx, deps, actor, id))

/**
 * Revokes the user's sessions in this team and their grants to its applications; other teams are unaffected. Returns how many sessions
 * ended. Runs in the caller's transaction.
 * @throws user_not_found, role_protected
 */
export async function endSessionsOf(
  tx: Transaction,
  { clock, audit }: UserDeps,
  actor: MemberActor,
  id: string,
): Promise<number> {
  const { account, membership } = await lockUserOfTeam(tx, actor.teamId, id)
  requireRoleWithin(actor, membership.role)
  const ended = await endSessions(tx, clock, { user: account.id, team: actor.teamId }, 'ended_by_admin')
  await updateMembership(tx, membership, { tokensSince: clock.now() })
  await audit.record(tx, actor, 'user.sessions_ended', { resource: `user:${account.id}`, metadata: { ended } })
  return ended
}

/** Resets the second factors of a member like `resetFactorsOf`. */
export const resetFactors = (deps: UserDeps, actor: Actor, id: string): Promise<number> =>
  deps.db.transaction((tx) => resetFactorsOf(tx, deps, actor, id))

/**
 * Resets the second factors of a member who lost theirs, for this team only: deletes factors restricted to it, stops accepting and
 * requiring the existing unrestricted ones here, and ends the user's sessions in the team. The user is notified. Returns the number of
 * deleted factors: the team must not learn which others the account has. Runs in the caller's transaction.
 * @throws user_not_found, role_protected, forbidden for the caller's own account, rate_limited for a caller with an unverified email
 *   address
 */
export async function resetFactorsOf(
  tx: Transaction,
  deps: UserDeps,
  actor: MemberActor & WelcomeSender,
  id: string,
): Promise<number> {
  const { account } = await lockTarget(tx, actor, id, 'factors')
  const { teamId } = actor
  const cause = causeOf(actor)
  await deps.mailer.admitRecipient(tx, account.email, cause)
  const hadFactor = requiresFactor(await validFactors(tx, { userId: account.id, teamId, restrictedTo: null }))
  const removed = await resetFactorsInTeam(tx, deps, account.id, teamId)
  await endSessions(tx, deps.clock, { user: account.id, team: teamId }, 'factors_reset')
  await deps.audit.record(tx, actor, 'user.factors_reset', { resource: `user:${account.id}`, metadata: { removed } })
  if (hadFactor) {
    const name = await nameForMail(tx, deps, actor, account.email)
    await sendFactorMail(tx, deps, account.email, actor.origin, { change: 'reset_by_admin', name, cause })
  }
  return removed
}

/**
 * Sets a temporary password for a member, restricted to this team, ends the user's sessions in it and notifies the user. Reveals nothing
 * about the account's other passwords.
 * @throws user_not_found, role_protected, password_policy, forbidden for the caller's own account, rate_limited for a caller with an
 *   unverified email address
 */
export async function setTemporaryPassword(deps: UserDeps, actor: Actor, id: string, password: string): Promise<void> {
  const { db, clock, audit, mailer, config } = deps
  // Authorize before the expensive hashing.
  const { account: member } = await db.transaction((tx) => lockTarget(tx, actor, id, 'password'))
  const hash = await hashTemporaryPassword(deps, actor.teamId, password)

  await db.transaction(async (tx) => {
    const { account } = await lockTarget(tx, actor, member.id, 'password')
    const temporarySetBy = await lockCallerForTemporaryPassword(tx, clock, actor)
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
      team: await nameForMail(tx, deps, actor, account.email),
      when: `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      url: `${config.frontendUrl}/forgot-password`,
    }
    await mailer.send(tx, temporaryPasswordMail, account.email, values, cause)
  })
}

/**
 * Locks a member whose credentials the caller may reset. Runs in the caller's transaction.
 * @throws user_not_found, role_protected, forbidden for the caller's own account
 */
export async function lockTarget(
  tx: Transaction,
  actor: MemberActor,
  id: string,
  reset: 'factors' | 'password' | 'access',
): Promise<LockedUser> {
  const user = await lockUserOfTeam(tx, actor.teamId, id)
  if (user.account.id === actor.userId)
    throw platformError('forbidden', { detail: `Change your own ${reset} in your account settings` })
  requireRoleWithin(actor, user.membership.role)
  return user
}

/** Returns the name of the caller's team as a mail to this address quotes it. Runs in the caller's transaction. */
const nameForMail = async (
  tx: Transaction,
  { verifiedDomains }: UserDeps,
  { teamId, team }: Pick<WelcomeSender, 'teamId' | 'team'>,
  email: string,
): Promise<string> => quotedTeam(team.name, await verifiedDomains.domainOfTeam(tx, teamId, email))
