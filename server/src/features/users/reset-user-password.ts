import { refusal as platformRefusal } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import { requireRoleWithin } from '../access/index.js'
import {
  refuseIfReplaced,
  requireAcceptablePassword,
  revokeApiTokensOf,
  setPassword,
  unlockAccount,
} from '../credentials/index.js'
import { managesUser, memberRefusal } from '../members/index.js'
import { passwordPolicyOf } from '../policies/index.js'
import { endSessions } from '../sessions/index.js'
import type { UserDeps } from './deps.js'
import { lockUserOfTeam } from './lock-user-of-team.js'
import { passwordGivenMail } from './mails.js'
import { readUser } from './queries.js'

/** A job of the room `accounts`: makes and mails a link as if the user had asked for it. */
const SEND_LINK_JOB = 'accounts.send_link'

/** Mails the user a link to choose a new password: nothing that they could not ask for themselves. @throws user_not_found */
export function mailPasswordReset(deps: UserDeps, actor: Actor, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const { account } = await lockUserOfTeam(tx, actor.teamId, id)
    await deps.jobs.enqueue(tx, SEND_LINK_JOB, { kind: 'password_reset', email: account.email, origin: actor.origin })
    await deps.audit.record(tx, actor, 'user.link_requested', {
      resource: `user:${account.id}`,
      metadata: { kind: 'password_reset', forUser: true },
    })
  })
}

/**
 * Gives the account a temporary password in the place of whatever it had, ends all its sessions and tells its owner. Only while
 * the account is the team's alone: elsewhere the password would open what is not the team's.
 * @throws user_not_found, role_protected, user_not_managed, password_policy, password_replaced, forbidden for the caller's own account
 */
export async function giveTemporaryPassword(deps: UserDeps, actor: Actor, id: string, password: string): Promise<void> {
  const { db, clock, audit, hasher, mailer, config } = deps
  // Whom it is no business of learns so before anything is computed.
  const { id: userId } = await readUser(deps, actor, id)
  if (userId === actor.userId)
    throw platformRefusal('forbidden', { detail: 'Your own password is changed with the current one' })
  const policy = await passwordPolicyOf(db, actor.teamId)
  const compared = await requireAcceptablePassword(deps, { userId, password, policy, path: '/temporaryPassword' })
  const hash = await hasher.hash(password)

  await db.transaction(async (tx) => {
    const { account, membership } = await lockUserOfTeam(tx, actor.teamId, userId)
    requireRoleWithin(actor, membership.role)
    if (!(await managesUser(tx, actor.teamId, userId))) throw memberRefusal('user_not_managed')
    await refuseIfReplaced(tx, userId, compared)
    await setPassword(tx, clock, userId, hash, { givenByTeamId: actor.teamId })
    await unlockAccount(tx, deps.throttle, account)
    await revokeApiTokensOf(tx, clock, userId)
    const sessionsEnded = await endSessions(tx, clock, { user: userId, grants: true }, 'password_given')
    await audit.record(tx, actor, 'user.password_given', { resource: `user:${userId}`, metadata: { sessionsEnded } })
    if (!(await mailer.maySend(tx, passwordGivenMail, account.email))) return
    await mailer.send(tx, passwordGivenMail, account.email, {
      team: actor.team.name,
      when: `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      url: `${config.frontendUrl}/forgot-password`,
    })
  })
}
