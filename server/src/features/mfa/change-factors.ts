import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { FactorId, OriginId, TeamId } from '../../platform/ids.js'
import { permissionError } from '../permissions/index.js'
import { requireActiveSession, requireRecentAuthentication, sessionTerms } from '../sessions/index.js'
import { lockUser, type User } from '../users/index.js'
import type { FactorDeps } from './deps.js'
import {
  hasVerified,
  requiresFactor,
  scopeOf,
  unrestrictedFactors,
  type ValidFactor,
  validFactors,
} from './valid-factors.js'

/**
 * Requires that the caller's session has verified an unrestricted factor, if the account has one. Runs in the caller's transaction.
 * @throws second_factor_required
 */
export async function requireUnrestrictedFactor(tx: Transaction, { userId, sessionId }: SessionActor): Promise<void> {
  const { verifiedFactorIds: verified } = await sessionTerms(tx, sessionId)
  requireVerifiedFor(null, { unrestricted: await unrestrictedFactors(tx, userId), verified })
}

/** The factors of the session in which factors are changed. */
export interface ChangingSession {
  /** The factors that are valid in the session's team. */
  valid: ValidFactor[]
  /** The unrestricted factors of the account, independent of the team. */
  unrestricted: ValidFactor[]
  /** The factors that the session has verified, valid or not. */
  verified: FactorId[]
  temporarySetBy: OriginId | null
}

/**
 * Runs a change of the caller's own factors in a transaction that locks the account. Requires a recent sign-in, and a session that has
 * verified a factor if one is valid in its team.
 * @throws reauthentication_required, second_factor_required, and the errors of `change`
 */
export function changeFactors<T>(
  { db, clock }: Pick<FactorDeps, 'db' | 'clock'>,
  actor: SessionActor,
  change: (tx: Transaction, user: User, session: ChangingSession) => Promise<T>,
): Promise<T> {
  requireRecentAuthentication(clock, actor)
  return db.transaction(async (tx) => {
    const { user, session } = await lockChangingSession(tx, clock, actor)
    return change(tx, user, session)
  })
}

/**
 * Locks the caller's account and returns the factors that the session has verified. Runs in the caller's transaction.
 * @param verifiedNow a factor that this request has verified
 * @throws second_factor_required if a factor is valid in its team and the session has verified none
 */
export async function lockChangingSession(
  tx: Transaction,
  clock: Clock,
  actor: SessionActor,
  verifiedNow?: FactorId,
): Promise<{ user: User; session: ChangingSession }> {
  const user = await lockUser(tx, actor.userId)
  if (!user) throw invalidAccessToken()
  await requireActiveSession(tx, clock, actor)
  const terms = await sessionTerms(tx, actor.sessionId)
  const valid = await validFactors(tx, scopeOf(actor))
  const { amr, temporarySetBy } = terms
  const verified = [...terms.verifiedFactorIds, ...(verifiedNow ? [verifiedNow] : [])]
  if (requiresFactor(valid) && !hasVerified(valid, { restrictedTo: actor.restrictedToTeam, amr, verified }))
    throw permissionError('second_factor_required')
  const unrestricted = await unrestrictedFactors(tx, actor.userId)
  return { user, session: { valid, unrestricted, verified, temporarySetBy } }
}

/**
 * Requires that the session has verified an unrestricted factor in order to change an unrestricted one.
 * @throws second_factor_required
 */
export function requireVerifiedFor(
  restrictedTo: TeamId | null,
  { unrestricted, verified }: Pick<ChangingSession, 'unrestricted' | 'verified'>,
): void {
  if (restrictedTo === null && requiresFactor(unrestricted) && !unrestricted.some(({ id }) => verified.includes(id)))
    throw permissionError('second_factor_required')
}
