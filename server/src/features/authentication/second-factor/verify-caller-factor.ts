import type { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import { invalidAccessToken } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { AuditAction } from '../../audit/index.js'
import { type ChallengeFor, mfaError, readCode, scopeOfProof, type UsedFactor } from '../../mfa/index.js'
import { lockSession } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { admitSource } from '../limits/sign-in-limits.js'
import { type FactorResponse, verifyFactor } from './verify-factor.js'

/** What a passkey answers by which a signed-in user proves who they are: this session and no other. */
export const reauthenticationOf = ({ userId, sessionId }: SessionActor): ChallengeFor => ({
  purpose: 'reauthenticate',
  boundTo: [userId, sessionId],
})

/** What is proven, and the act that the entry of a failure names. */
export interface CallerFactor {
  answer: FactorResponse
  deviceToken: string | undefined
  action: AuditAction
}

/**
 * A signed-in user proves a factor, and `then` is done in the same transaction. Failures count like failed sign-ins, and a locked
 * account answers like a wrong code.
 * @throws mfa_invalid, passkey_invalid (both 403), rate_limited, invalid_request for what is no code at all
 */
export async function verifyCallerFactor<T>(
  deps: AccountDeps,
  actor: SessionActor,
  { answer, deviceToken, action }: CallerFactor,
  then: (tx: Transaction, factor: UsedFactor) => Promise<T>,
): Promise<T> {
  if ('typed' in answer) readCode(answer.typed)
  await admitSource(deps, 'challenge', actor.origin)
  const attempt = {
    ...scopeOfProof(actor),
    email: actor.user.email,
    origin: actor.origin,
    deviceToken,
    afterPassword: false,
    use: reauthenticationOf(actor),
    failure: { action, metadata: {} },
  }
  const done = await deps.db.transaction(async (tx): Promise<{ result: T } | { rejected: AppError }> => {
    const isLive = async () => (await lockSession(tx, deps.clock, actor.sessionId)) !== undefined
    const judged = await verifyFactor(tx, deps, answer, attempt, isLive)
    if (!judged) throw invalidAccessToken()
    if (judged.factor) {
      await judged.clear()
      return { result: await then(tx, judged.factor) }
    }
    const code = 'typed' in answer ? 'mfa_invalid' : 'passkey_invalid'
    return { rejected: mfaError(code, { status: 403, recorded: true }) }
  })
  if ('rejected' in done) throw done.rejected
  return done.result
}
