import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken, refusal as platformRefusal } from '../../platform/errors.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { AssertionAnswer } from '../../protocols/webauthn/index.js'
import { credentialRefusal, currentPassword } from '../credentials/index.js'
import { lockUser } from '../identities/index.js'
import { refuseWhereRequired, removeFactors, sendFactorMail } from '../mfa/index.js'
import { refuseWhileConfined, requireLiveSession, requireRecentAuthentication } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'
import { proveFactor } from './prove-factor.js'
import { provePassword } from './prove-password.js'

export interface DisableProof {
  password?: string | undefined
  credential?: AssertionAnswer | undefined
  deviceToken: string | undefined
}

/**
 * Removes every second factor of the caller, who proves themselves by the current password or one of the passkeys; an account without a
 * password by a recent sign-in. An account that has none stays as it is.
 * @throws wrong_password, passkey_invalid, mfa_required_here, reauthentication_required, team_sign_in_required, rate_limited,
 * invalid_request where the proof is missing
 */
export async function disableMfa(
  deps: AccountDeps,
  actor: SessionActor,
  { password, credential, deviceToken }: DisableProof,
): Promise<void> {
  const { db, clock } = deps
  await db.transaction((tx) => refuseWhileConfined(tx, actor))
  if (credential) {
    const proof = { answer: { credential }, deviceToken, action: 'user.mfa_disabled' } as const
    await proveFactor(deps, actor, proof, (tx) => removeAll(tx, deps, actor))
    return
  }
  if (!actor.user.hasPassword) {
    requireRecentAuthentication(clock, actor)
    await db.transaction((tx) => removeAll(tx, deps, actor))
    return
  }
  const proof = { password: required(password), deviceToken }
  const verified = await provePassword(deps, actor, proof, 'user.mfa_disabled')
  await db.transaction(async (tx) => {
    await lockUser(tx, actor.userId)
    // It may have been replaced since it was verified.
    if ((await currentPassword(tx, actor.userId))?.hash !== verified) throw credentialRefusal('wrong_password')
    await removeAll(tx, deps, actor)
  })
}

async function removeAll(tx: Transaction, deps: AccountDeps, actor: SessionActor): Promise<void> {
  await refuseWhileConfined(tx, actor)
  const user = await lockUser(tx, actor.userId)
  if (!user) throw invalidAccessToken()
  await requireLiveSession(tx, deps.clock, actor)
  if (user.secondFactorSince) await refuseWhereRequired(tx)
  const { removed, changed } = await removeFactors(tx, deps, user.id)
  if (!changed) return
  await deps.audit.record(tx, actor, 'user.mfa_disabled', { resource: `user:${user.id}`, metadata: { removed } })
  if (removed > 0) await sendFactorMail(tx, deps, user.email, actor.origin, { change: 'disabled' })
}

function required(password: string | undefined): string {
  if (password !== undefined) return password
  throw platformRefusal('invalid_request', {
    detail: 'The current password is missing',
    errors: [{ path: '/password', message: 'is required' }],
  })
}
