import { eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { SessionActor } from '../../platform/http/actor.js'
import { type FactorId, parseId, type UserId } from '../../platform/ids.js'
import { readSettings } from '../settings/index.js'
import { changeFactors } from './change-factors.js'
import type { FactorDeps } from './deps.js'
import { refusal } from './errors.js'
import { type Factor, findFactor, listFactors } from './factor-repository.js'
import { sendFactorMail } from './mails.js'
import { settleFactors } from './settle-factors.js'
import { factors } from './tables.js'

/**
 * Removes one factor of the caller, or an enrolment that waits. The last factor takes the backup codes with it.
 * @throws factor_not_found, mfa_required_here, reauthentication_required, team_sign_in_required
 */
export async function removeFactor(deps: FactorDeps, actor: SessionActor, methodId: string): Promise<void> {
  await changeFactors(deps, actor, async (tx, user) => {
    const id = parseId<FactorId>(methodId)
    const found = id && (await findFactor(tx, deps.clock, user.id, id))
    if (!found) throw refusal('factor_not_found')
    const { factor } = found
    if (await isLast(tx, deps, user.id, factor)) await refuseWhereRequired(tx)
    await tx.delete(factors).where(eq(factors.id, id))
    await settleFactors(tx, deps, user)
    await deps.audit.record(tx, actor, 'factor.removed', {
      resource: `factor:${id}`,
      metadata: { type: factor.type, name: factor.name },
    })
    if (factor.verifiedAt)
      await sendFactorMail(tx, deps, user.email, actor.origin, { change: 'removed', name: factor.name })
  })
}

const isFactor = ({ type, verifiedAt }: Factor): boolean => verifiedAt !== null && type !== 'BACKUP_CODE'

async function isLast(
  tx: Transaction,
  { clock }: Pick<FactorDeps, 'clock'>,
  userId: UserId,
  factor: Factor,
): Promise<boolean> {
  if (!isFactor(factor)) return false
  return (await listFactors(tx, clock, userId)).filter((other) => isFactor(other.factor)).length === 1
}

/** A step, before the last factor of an account goes. @throws mfa_required_here where the instance asks everybody for one */
export async function refuseWhereRequired(tx: Transaction): Promise<void> {
  if ((await readSettings(tx)).mfaRequired) throw refusal('mfa_required_here')
}
