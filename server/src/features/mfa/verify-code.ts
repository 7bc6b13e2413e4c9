import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { FactorId } from '../../platform/ids.js'
import { firstAcceptedStep, matchingStep } from '../../protocols/totp/index.js'
import { useBackupCode } from './backup-codes/backup-codes.js'
import type { FactorDeps } from './deps.js'
import { type FactorType, totpSecretsOf, useTotpStep } from './factor-repository.js'
import { type FactorScope, validFactors } from './valid-factors.js'

/** A code as typed by the user: of an authenticator app, or a backup code. */
export interface TypedCode {
  code: string
  isBackupCode?: boolean
}

const stripped = (typed: string): string => typed.normalize('NFKC').replace(/[\s\p{Pd}.]/gu, '')

const SHAPES = {
  totp: { pattern: /^\d{6}$/, message: 'must be six digits' },
  backup: { pattern: /^[0-9A-Z]{6,8}$/, message: 'must be six to eight letters and digits' },
}

/**
 * Returns the normalized code, without spaces and hyphens and with full-width digits converted.
 * @throws invalid_request for a malformed code, which does not count as a failed attempt
 */
export function readCode({ code, isBackupCode = false }: TypedCode): string {
  const normalized = stripped(code).toUpperCase()
  const { pattern, message } = SHAPES[isBackupCode ? 'backup' : 'totp']
  if (pattern.test(normalized)) return normalized
  throw platformError('invalid_request', { detail: `The code ${message}`, errors: [{ path: '/code', message }] })
}

/** A factor that was just verified. */
export interface UsedFactor {
  id: FactorId
  type: FactorType
  /** The authentication methods (RFC 8176) that the factor adds. */
  amr: string[]
}

export const contextOfSecret = (id: FactorId): string => `totp:${id}`

/**
 * Verifies and redeems a code of a factor that is valid in the team. The code of a time step is accepted once per account. Runs in the caller's
 * transaction, which has locked the account.
 * @throws invalid_request for a malformed code
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
  // Restricted factors first: a code of a factor that the team controls must not also be a guess of an unrestricted one.
  const ofTeam = new Set(valid.filter(({ restrictedTo }) => restrictedTo !== null).map(({ id }) => id))
  const secrets = await totpSecretsOf(tx, ids)
  for (const { id, sealed } of secrets.sort((a, b) => Number(ofTeam.has(b.id)) - Number(ofTeam.has(a.id)))) {
    const secret = deps.envelope.open(sealed, contextOfSecret(id)).toString()
    const step = matchingStep(secret, code, now)
    if (step !== undefined && (await useTotpStep(tx, deps.clock, id, step, firstAcceptedStep(now))))
      return { id, type: 'TOTP', amr: ['otp', 'mfa'] }
  }
  return undefined
}
