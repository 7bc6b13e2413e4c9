import type { Actor } from '../../platform/http/actor.js'
import type { AuditAction } from '../audit/index.js'
import { credentialRefusal, currentPassword } from '../credentials/index.js'
import { knownDevice } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'
import { accountKey, accountLimit, admitSource, countSourceFailure, recordLock } from './sign-in-limits.js'

/** What the caller says, and the browser's device cookie. */
export interface PasswordProof {
  password: string
  deviceToken: string | undefined
}

/**
 * Whether a signed-in user knows the account's password; failures count like failed sign-ins, and a locked account answers
 * like a wrong password. Answers the hash that was verified, so that the act can see whether it is still the one.
 * @param action what the entry of a failure names
 * @throws wrong_password, rate_limited
 */
export async function provePassword(
  deps: AccountDeps,
  actor: Actor,
  { password, deviceToken }: PasswordProof,
  action: AuditAction,
): Promise<string> {
  const { db, hasher, throttle, audit } = deps
  await admitSource(deps, 'sign-in', actor.origin)
  const current = await currentPassword(db, actor.userId)
  const right = current ? await hasher.verify(current.hash, password) : await hasher.verifyNothing(password)
  const key = accountKey(actor.user.email, await knownDevice(db, actor.userId, deviceToken))
  const proven = await db.transaction(async (tx) => {
    const locked = await throttle.isLocked(tx, key)
    if (right && !locked) return true
    await countSourceFailure(tx, deps, 'sign-in', actor.origin)
    const lockedNow = await throttle.count(tx, key, accountLimit(deps))
    await audit.record(tx, actor, action, {
      result: 'FAILURE',
      resource: `user:${actor.userId}`,
      metadata: { reason: locked ? 'locked' : 'wrong_password' },
    })
    if (lockedNow && !locked) await recordLock(tx, deps, actor, actor.user.email)
    return false
  })
  if (!proven || !current) throw credentialRefusal('wrong_password', { recorded: true })
  await db.transaction((tx) => throttle.clear(tx, [key]))
  return current.hash
}
