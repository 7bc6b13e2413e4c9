import type { Transaction } from '../../platform/db/database.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { FactorId, UserId } from '../../platform/ids.js'
import { refuseWhileConfined } from '../sessions/index.js'
import { backupCodesLeft } from './backup-codes.js'
import type { FactorDeps } from './deps.js'
import { type FactorType, isAdaptive, listFactors, type Passkey } from './factor-repository.js'

export interface FactorStatus {
  id: FactorId
  type: FactorType
  name: string
  verified: boolean
  createdAt: Date
  lastUsedAt: Date | null
  passkey: Passkey | null
}

export interface MfaStatus {
  enabled: boolean
  adaptive: boolean
  backupCodesLeft: number
  factors: FactorStatus[]
}

/** A step: the factors of the account, enrolments that wait too. */
export const factorStatuses = async (
  tx: Transaction,
  { clock }: Pick<FactorDeps, 'clock'>,
  userId: UserId,
): Promise<FactorStatus[]> =>
  (await listFactors(tx, clock, userId)).map(({ factor, passkey }) => ({
    id: factor.id,
    type: factor.type,
    name: factor.name,
    verified: factor.verifiedAt !== null,
    createdAt: factor.createdAt,
    lastUsedAt: factor.lastUsedAt,
    passkey,
  }))

/** The caller's factors. @throws team_sign_in_required */
export function readStatus(deps: Pick<FactorDeps, 'db' | 'clock'>, actor: SessionActor): Promise<MfaStatus> {
  return deps.db.transaction(async (tx) => {
    await refuseWhileConfined(tx, actor)
    return {
      enabled: actor.mfa.enabled,
      adaptive: await isAdaptive(tx, actor.userId),
      backupCodesLeft: await backupCodesLeft(tx, actor.userId),
      factors: await factorStatuses(tx, deps, actor.userId),
    }
  })
}
