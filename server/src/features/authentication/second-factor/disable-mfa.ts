import type { Transaction } from '../../../platform/db/database.js'
import { invalidAccessToken } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { FactorId } from '../../../platform/ids.js'
import { causeOfSession } from '../../../platform/mail/mailer.js'
import type { AssertionResponse } from '../../../protocols/webauthn/index.js'
import {
  rejectIfRequired,
  removeFactors,
  requiresFactor,
  requireVerifiedFor,
  sendFactorMail,
  verifiedSession,
} from '../../mfa/index.js'
import { currentPassword, passwordError } from '../../passwords/index.js'
import { requireActiveSession, requireRecentAuthentication } from '../../sessions/index.js'
import { lockUser } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { requireField } from '../errors.js'
import { verifyCallerFactor } from './verify-caller-factor.js'
import { verifyCallerPassword } from './verify-caller-password.js'

export interface DisableProof {
  password?: string | undefined
  credential?: AssertionResponse | undefined
  deviceToken: string | undefined
}

/**
 * Removes the caller's second factors: in a restricted session those of its team, otherwise the unrestricted ones. Requires a passkey
 * assertion, or a session that has verified one of the factors and the current password. A session without an own password requires a
 * recent sign-in instead. Does nothing for an account without factors.
 * @throws wrong_password, passkey_invalid, second_factor_required, mfa_required_here, reauthentication_required, rate_limited,
 * invalid_request if the proof is missing
 */
export async function disableMfa(
  deps: AccountDeps,
  actor: SessionActor,
  { password, credential, deviceToken }: DisableProof,
): Promise<void> {
  const { db, clock } = deps
  if (credential) {
    const proof = { response: { credential }, deviceToken, action: 'user.mfa_disabled' } as const
    await verifyCallerFactor(deps, actor, proof, (tx, { id }) => removeAll(tx, deps, actor, id))
    return
  }
  // A restricted session must not use the account's own password.
  if (actor.restrictedToTeam || !actor.user.hasPassword) {
    requireRecentAuthentication(clock, actor)
    await db.transaction((tx) => removeAll(tx, deps, actor))
    return
  }
  const proof = { password: requireField(password, '/password', 'The current password is missing'), deviceToken }
  const verified = await verifyCallerPassword(deps, actor, proof, 'user.mfa_disabled')
  await db.transaction(async (tx) => {
    await lockUser(tx, actor.userId)
    // The password may have been replaced since it was verified.
    if ((await currentPassword(tx, actor.userId, actor.restrictedToTeam))?.hash !== verified)
      throw passwordError('wrong_password')
    await removeAll(tx, deps, actor)
  })
}

async function removeAll(
  tx: Transaction,
  deps: AccountDeps,
  actor: SessionActor,
  verifiedNow?: FactorId,
): Promise<void> {
  const user = await lockUser(tx, actor.userId)
  if (!user) throw invalidAccessToken()
  await requireActiveSession(tx, deps.clock, actor)
  const session = await verifiedSession(tx, actor, verifiedNow)
  requireVerifiedFor(actor.restrictedToTeam, session)
  const own = session.valid.filter(({ restrictedTo }) => restrictedTo === actor.restrictedToTeam)
  if (requiresFactor(own)) await rejectIfRequired(tx)
  const { removed, changed } = await removeFactors(tx, deps, user.id, actor.restrictedToTeam)
  if (!changed) return
  await deps.audit.record(tx, actor, 'user.mfa_disabled', { resource: `user:${user.id}`, metadata: { removed } })
  if (removed > 0)
    await sendFactorMail(tx, deps, user.email, actor.origin, {
      change: 'disabled',
      cause: causeOfSession(actor.restrictedToTeam),
    })
}
