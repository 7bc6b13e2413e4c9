import type { Transaction } from '../../platform/db/database.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { FactorId } from '../../platform/ids.js'
import { unusedCodes } from './backup-codes/backup-codes.js'
import type { FactorDeps } from './deps.js'
import { type FactorType, isAdaptive, listFactors, type Passkey } from './factor-repository.js'
import { type FactorScope, scopeOf } from './valid-factors.js'

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

/** Returns the factors that a session in the team may access, including pending enrollments. Runs in the caller's transaction. */
export const factorStatuses = async (
  tx: Transaction,
  { clock }: Pick<FactorDeps, 'clock'>,
  scope: FactorScope,
): Promise<FactorStatus[]> =>
  (await listFactors(tx, clock, scope)).map(({ factor, passkey }) => ({
    id: factor.id,
    type: factor.type,
    name: factor.name,
    verified: factor.verifiedAt !== null,
    createdAt: factor.createdAt,
    lastUsedAt: factor.lastUsedAt,
    passkey,
  }))

/** Returns the caller's factors; in a restricted session those that are restricted to its team. */
export function readStatus(deps: Pick<FactorDeps, 'db' | 'clock'>, actor: SessionActor): Promise<MfaStatus> {
  return deps.db.transaction(async (tx) => {
    const factors = await factorStatuses(tx, deps, scopeOf(actor))
    return {
      enabled: actor.mfa.enabled,
      adaptive: actor.restrictedToTeam === null && (await isAdaptive(tx, actor.userId)),
      backupCodesLeft: await unusedCodes(
        tx,
        factors.map(({ id }) => id),
      ),
      factors,
    }
  })
}
