import type { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import { invalidAccessToken } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { AuditAction } from '../../audit/index.js'
import { type ChallengeBinding, mfaError, readCode, reauthenticationScope, type UsedFactor } from '../../mfa/index.js'
import { lockSession } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { admitSource } from '../limits/sign-in-limits.js'
import { type FactorResponse, verifyFactor } from './verify-factor.js'

/** Binds the WebAuthn challenge of a reauthentication to the user and the session. */
export const reauthenticationOf = ({ userId, sessionId }: SessionActor): ChallengeBinding => ({
  purpose: 'reauthenticate',
  boundTo: [userId, sessionId],
})

export interface CallerFactor {
  response: FactorResponse
  deviceToken: string | undefined
  /** The action of the audit entry of a failure. */
  action: AuditAction
}

/**
 * Verifies a factor of a signed-in user and runs `then` in the same transaction. Failures count like failed sign-ins, and a locked account
 * gets the response of a wrong code.
 * @throws mfa_invalid, passkey_invalid (both 403), rate_limited, invalid_request for a malformed code
 */
export async function verifyCallerFactor<T>(
  deps: AccountDeps,
  actor: SessionActor,
  { response, deviceToken, action }: CallerFactor,
  then: (tx: Transaction, factor: UsedFactor) => Promise<T>,
): Promise<T> {
  if ('typed' in response) readCode(response.typed)
  await admitSource(deps, 'challenge', actor.origin)
  const attempt = {
    ...reauthenticationScope(actor),
    email: actor.user.email,
    origin: actor.origin,
    deviceToken,
    afterPassword: false,
    use: reauthenticationOf(actor),
    failure: { action, metadata: {} },
  }
  const done = await deps.db.transaction(async (tx): Promise<{ result: T } | { rejected: AppError }> => {
    const isLive = async () => (await lockSession(tx, deps.clock, actor.sessionId)) !== undefined
    const verified = await verifyFactor(tx, deps, response, attempt, isLive)
    if (!verified) throw invalidAccessToken()
    if (verified.factor) {
      await verified.clear()
      return { result: await then(tx, verified.factor) }
    }
    const code = 'typed' in response ? 'mfa_invalid' : 'passkey_invalid'
    return { rejected: mfaError(code, { status: 403, recorded: true }) }
  })
  if ('rejected' in done) throw done.rejected
  return done.result
}
