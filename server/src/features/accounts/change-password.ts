import { normalizePassword } from '../../platform/crypto/password-hash.js'
import { refusal as platformRefusal } from '../../platform/errors.js'
import type { SessionActor } from '../../platform/http/actor.js'
import {
  credentialRefusal,
  currentPassword,
  refuseIfReplaced,
  requireAcceptablePassword,
  setPassword,
} from '../credentials/index.js'
import { lockUser } from '../identities/index.js'
import { passwordPolicyOf } from '../policies/index.js'
import {
  clearPasswordDue,
  endSessions,
  refuseWhileConfined,
  requireLiveSession,
  requireRecentAuthentication,
} from '../sessions/index.js'
import type { AccountDeps } from './deps.js'
import { sendPasswordChanged } from './notify-password-changed.js'
import { provePassword } from './prove-password.js'

/**
 * Changes the caller's password, by the rules of the team of the request, and ends all their other sessions. An account without a password gets its first one by a
 * recent sign-in instead of the current password.
 * @throws wrong_password, password_policy, password_replaced, reauthentication_required, team_sign_in_required, rate_limited
 */
export async function changePassword(
  deps: AccountDeps,
  actor: SessionActor,
  proof: { password: string | undefined; deviceToken: string | undefined },
  newPassword: string,
): Promise<void> {
  const { db, clock, audit, hasher } = deps
  await db.transaction((tx) => refuseWhileConfined(tx, actor))
  const verified = actor.user.hasPassword
    ? await provePassword(deps, actor, { ...proof, password: required(proof.password) }, 'user.password_changed')
    : null
  if (verified === null) requireRecentAuthentication(clock, actor)
  const policy = await passwordPolicyOf(db, actor.teamId)
  const choice = { userId: actor.userId, password: newPassword, policy, path: '/newPassword' }
  const compared = await requireAcceptablePassword(deps, choice)
  if (actor.session.mustChangePassword && proof.password !== undefined) refuseSame(proof.password, newPassword)
  const hash = await hasher.hash(newPassword)

  await db.transaction(async (tx) => {
    await lockUser(tx, actor.userId)
    await requireLiveSession(tx, clock, actor)
    // Two changes at once: the second one's proof was made of a password that is no longer the current one.
    const before = await currentPassword(tx, actor.userId)
    if ((before?.hash ?? null) !== verified) throw credentialRefusal('wrong_password')
    await refuseIfReplaced(tx, actor.userId, compared)
    // Whoever had the team's means chose it: it proves the user to that team and to no other.
    await setPassword(tx, clock, actor.userId, hash, { confinedTeamId: actor.confinedTo })
    await clearPasswordDue(tx, actor.sessionId)
    const sessionsEnded = await endSessions(
      tx,
      clock,
      { user: actor.userId, except: actor.sessionId },
      'password_changed',
    )
    await audit.record(tx, actor, verified === null ? 'user.password_set' : 'user.password_changed', {
      resource: `user:${actor.userId}`,
      metadata: { sessionsEnded },
    })
    await sendPasswordChanged(tx, deps, actor.user.email, actor.origin)
  })
}

function required(currentPassword: string | undefined): string {
  if (currentPassword !== undefined) return currentPassword
  throw platformRefusal('invalid_request', {
    detail: 'The current password is missing',
    errors: [{ path: '/currentPassword', message: 'is required' }],
  })
}

/** A password that must be changed is known to somebody else, or too old: it does not become good by being set again. */
function refuseSame(current: string, wanted: string): void {
  if (normalizePassword(current) !== normalizePassword(wanted)) return
  const message = 'must differ from the current password'
  throw credentialRefusal('password_policy', {
    detail: `The password ${message}`,
    errors: [{ path: '/newPassword', rule: 'unchanged', message }],
  })
}
