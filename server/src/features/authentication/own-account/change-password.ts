import { normalizePassword } from '../../../platform/crypto/password-hash.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { passwordPolicyOf } from '../../password-policy/index.js'
import { passwordError, rejectIfReplaced, requireAcceptablePassword, setPassword } from '../../passwords/index.js'
import { endSessions, requireRecentAuthentication, sessionTerms, writePasswordDue } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { requireField } from '../errors.js'
import { sendPasswordChanged } from '../mails.js'
import { lockCallerPassword, verifyCallerPassword } from '../second-factor/reauthenticate.js'

/**
 * Changes the caller's password by the policy of the team of the request, and ends their other sessions. Another change is due in confirmed
 * teams with a stricter policy. In a restricted session it changes the team password and ends the sessions that are restricted to the team.
 * A first password requires a recent sign-in instead of the current password.
 * @throws wrong_password, password_policy, password_replaced, reauthentication_required, rate_limited
 */
export async function changePassword(
  deps: AccountDeps,
  actor: SessionActor,
  proof: { password: string | undefined; deviceToken: string | undefined },
  newPassword: string,
): Promise<void> {
  const { db, clock, audit, hasher } = deps
  const verified = actor.user.hasPassword
    ? await verifyCallerPassword(
        deps,
        actor,
        requireField(proof.password, '/currentPassword', 'The current password is missing'),
        proof.deviceToken,
        'user.password_changed',
      )
    : null
  if (verified === null) requireRecentAuthentication(clock, actor)
  const policy = await passwordPolicyOf(db, actor.teamId)
  const restrictedTo = actor.restrictedToTeam
  const choice = { userId: actor.userId, restrictedTo, password: newPassword, policy, path: '/newPassword' }
  const compared = await requireAcceptablePassword(deps, choice)
  const due = await sessionTerms(db, actor.sessionId)
  const isDue = actor.session.mustChangePassword || due.passwordDueTeamIds.length > 0
  if (isDue && proof.password !== undefined) rejectSame(proof.password, newPassword)
  const hash = await hasher.hash(newPassword)

  await db.transaction(async (tx) => {
    await lockCallerPassword(tx, deps, actor, verified)
    await rejectIfReplaced(tx, actor.userId, restrictedTo, compared)
    const { temporarySetBy } = await sessionTerms(tx, actor.sessionId)
    const set = { hash, restrictedTo, isTemporary: false, temporarySetBy }
    await writePasswordDue(tx, actor.sessionId, await setPassword(tx, clock, actor.userId, set, newPassword))
    const sessionsEnded = await endSessions(
      tx,
      clock,
      { user: actor.userId, except: actor.sessionId, restrictedTo },
      'password_changed',
    )
    await audit.record(tx, actor, verified === null ? 'user.password_set' : 'user.password_changed', {
      resource: `user:${actor.userId}`,
      metadata: { sessionsEnded },
    })
    await sendPasswordChanged(tx, deps, actor.user.email, actor.origin, restrictedTo)
  })
}

/** A password that must be changed is known to a third party or too old, so setting it again is not accepted. */
function rejectSame(current: string, wanted: string): void {
  if (normalizePassword(current) !== normalizePassword(wanted)) return
  const message = 'must differ from the current password'
  throw passwordError('password_policy', {
    detail: `The password ${message}`,
    errors: [{ path: '/newPassword', rule: 'unchanged', message }],
  })
}
