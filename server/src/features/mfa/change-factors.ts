import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { SessionActor } from '../../platform/http/actor.js'
import { accessRefusal } from '../access/index.js'
import { lockUser, type User } from '../identities/index.js'
import {
  refuseWhileConfined,
  requireLiveSession,
  requireRecentAuthentication,
  sessionTerms,
} from '../sessions/index.js'
import type { FactorDeps } from './deps.js'

/**
 * Runs a change of the caller's own factors in a transaction, on the locked account: it wants a recent proof of who they are, in a
 * session that has proven a factor if the account has one, and that no single team controls while the account belongs to another one too.
 * @throws reauthentication_required, second_factor_required, team_sign_in_required, or what `change` throws
 */
export function changeFactors<T>(
  { db, clock }: Pick<FactorDeps, 'db' | 'clock'>,
  actor: SessionActor,
  change: (tx: Transaction, user: User) => Promise<T>,
): Promise<T> {
  requireRecentAuthentication(clock, actor)
  return db.transaction(async (tx) => {
    await refuseWhileConfined(tx, actor)
    const user = await lockUser(tx, actor.userId)
    if (!user) throw invalidAccessToken()
    await requireLiveSession(tx, clock, actor)
    const { amr } = await sessionTerms(tx, actor.sessionId)
    if (user.secondFactorSince && !amr.includes('mfa')) throw accessRefusal('second_factor_required')
    return change(tx, user)
  })
}
