import type { Transaction } from '../../platform/db/database.js'
import type { FactorId } from '../../platform/ids.js'
import { firstRightStep, matchingStep } from '../../protocols/totp/index.js'
import { useBackupCode } from './backup-codes.js'
import { readCode, type TypedCode } from './code-text.js'
import type { FactorDeps } from './deps.js'
import { type FactorType, totpSecretsOf, useTotpStep } from './factor-repository.js'
import { type FactorScope, validFactors } from './valid-factors.js'

/** The factor by which somebody has just proven who they are. */
export interface UsedFactor {
  id: FactorId
  type: FactorType
  /** Authentication methods (RFC 8176) that the proof adds. */
  amr: string[]
}

export const contextOfSecret = (id: FactorId): string => `totp:${id}`

/**
 * A step, on a locked account: judges a code of a factor that is valid in the team and uses it up. A code of an app is good for one challenge of the account; those of the
 * steps before and after are other codes.
 * @throws invalid_request for what is no code at all
 */
export async function verifyCode(
  tx: Transaction,
  deps: FactorDeps,
  scope: FactorScope,
  typed: TypedCode,
): Promise<UsedFactor | undefined> {
  const code = readCode(typed)
  const valid = await validFactors(tx, scope)
  const ids = valid.map(({ id }) => id)
  if (typed.isBackupCode) {
    const id = await useBackupCode(tx, deps, scope.userId, ids, code)
    return id && { id, type: 'BACKUP_CODE', amr: ['otp', 'mfa'] }
  }
  const now = deps.clock.ms()
  // Those of the team first: a code of a factor that the team controls must not be a guess of an unrestricted one as well.
  const ofTeam = new Set(valid.filter(({ restrictedTo }) => restrictedTo !== null).map(({ id }) => id))
  const secrets = await totpSecretsOf(tx, ids)
  for (const { id, sealed } of secrets.sort((a, b) => Number(ofTeam.has(b.id)) - Number(ofTeam.has(a.id)))) {
    const secret = deps.envelope.open(sealed, contextOfSecret(id)).toString()
    const step = matchingStep(secret, code, now)
    if (step !== undefined && (await useTotpStep(tx, deps.clock, id, step, firstRightStep(now))))
      return { id, type: 'TOTP', amr: ['otp', 'mfa'] }
  }
  return undefined
}
