import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { UserId } from '../../platform/ids.js'
import { noteSecondFactor, type User } from '../identities/index.js'
import { dropWaitingSignIns } from '../sessions/index.js'
import type { FactorDeps } from './deps.js'
import { adaptiveUsers, factors } from './tables.js'

/**
 * A step, on a locked account, after its factors changed: the account knows whether it has one. Backup codes and the choice to be asked
 * less often stand in for a factor and go with the last one.
 */
export async function settleFactors(tx: Transaction, { clock }: Pick<FactorDeps, 'clock'>, user: User): Promise<void> {
  const [one] = await tx
    .select({ id: factors.id })
    .from(factors)
    .where(and(eq(factors.userId, user.id), isNotNull(factors.verifiedAt), inArray(factors.type, ['TOTP', 'PASSKEY'])))
    .limit(1)
  if (one) {
    if (!user.secondFactorSince) await noteSecondFactor(tx, clock, user.id, clock.now())
    return
  }
  await removeFactors(tx, { clock }, user.id)
}

/** A step: removes every factor of the account, waiting enrolments and backup codes too. Answers how many worked, and whether anything was there at all. */
export async function removeFactors(
  tx: Transaction,
  { clock }: Pick<FactorDeps, 'clock'>,
  userId: UserId,
): Promise<{ removed: number; changed: boolean }> {
  const deleted = await tx
    .delete(factors)
    .where(eq(factors.userId, userId))
    .returning({ type: factors.type, verifiedAt: factors.verifiedAt })
  const chosen = await tx
    .delete(adaptiveUsers)
    .where(eq(adaptiveUsers.userId, userId))
    .returning({ since: adaptiveUsers.since })
  await dropWaitingSignIns(tx, clock, userId)
  await noteSecondFactor(tx, clock, userId, null)
  const working = deleted.filter(({ type, verifiedAt }) => verifiedAt !== null && type !== 'BACKUP_CODE')
  return { removed: working.length, changed: deleted.length + chosen.length > 0 }
}
