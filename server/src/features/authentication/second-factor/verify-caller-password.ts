import type { SessionActor } from '../../../platform/http/actor.js'
import type { AuditAction } from '../../audit/index.js'
import { currentPassword, passwordError } from '../../passwords/index.js'
import { knownDevice } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import {
  countFailure,
  forgottenBySuccess,
  logsLock,
  rejectsAttempt,
  rejectsRestricted,
  verifyLockout,
} from '../limits/account-lockout.js'
import { admitSource, countSourceFailure } from '../limits/sign-in-limits.js'
import { isOver } from '../sign-in/temporary-password.js'

/** The password, and the browser's device cookie. */
export interface CallerPassword {
  password: string
  deviceToken: string | undefined
}

/**
 * Verifies the password of a signed-in user: the account's own, or in a restricted session the team password. Failures count like failed
 * sign-ins, and a locked account gets the response of a wrong password.
 * @param action the action of the audit entry of a failure
 * @returns the verified hash, so that the caller can detect a concurrent change
 * @throws wrong_password, rate_limited
 */
export async function verifyCallerPassword(
  deps: AccountDeps,
  actor: SessionActor,
  { password, deviceToken }: CallerPassword,
  action: AuditAction,
): Promise<string> {
  const { db, hasher, throttle, audit } = deps
  await admitSource(deps, 'sign-in', actor.origin)
  const current = await currentPassword(db, actor.userId, actor.restrictedToTeam)
  const matches = current ? await hasher.verify(current.hash, password) : await hasher.verifyNothing(password)
  const right = matches && current !== undefined && !isOver(deps.clock, current)
  const device = await knownDevice(db, actor.userId, deviceToken)
  const forgotten = await db.transaction(async (tx) => {
    const lockout = await verifyLockout(tx, deps, {
      email: actor.user.email,
      device,
      named: actor.teamId,
      restrictedTo: actor.restrictedToTeam ? [actor.restrictedToTeam] : [],
      isRestricted: actor.restrictedToTeam !== null,
    })
    const locked = actor.restrictedToTeam
      ? rejectsRestricted(lockout, actor.restrictedToTeam)
      : rejectsAttempt(lockout, actor.teamId)
    if (right && !locked) return forgottenBySuccess(lockout, actor.restrictedToTeam)
    await countSourceFailure(tx, deps, 'sign-in', actor.origin)
    await audit.record(tx, actor, action, {
      result: 'FAILURE',
      resource: `user:${actor.userId}`,
      metadata: { reason: locked && logsLock(lockout) ? 'locked' : 'wrong_password' },
    })
    await countFailure(tx, deps, lockout, actor, { own: !right, team: !right || !actor.restrictedToTeam })
    return undefined
  })
  if (!forgotten || !current) throw passwordError('wrong_password', { recorded: true })
  await db.transaction((tx) => throttle.clear(tx, forgotten))
  return current.hash
}
