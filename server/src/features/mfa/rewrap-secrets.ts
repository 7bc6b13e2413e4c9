import { rewrapColumn } from '../../platform/crypto/rewrap-column.js'
import type { FactorDeps } from './deps.js'
import { contextOfCodes } from './start-totp.js'
import { totpSecrets } from './tables.js'
import { contextOfSecret } from './verify-code.js'

/** Wraps every secret and every set of backup codes under the first ENCRYPTION_KEY. Run at the start. */
export async function rewrapTotpSecrets(deps: Pick<FactorDeps, 'db' | 'envelope'>): Promise<void> {
  const { factorId: id, sealedSecret, sealedBackupCodes } = totpSecrets
  await rewrapColumn(deps, { table: totpSecrets, id, sealed: sealedSecret, contextOf: contextOfSecret })
  await rewrapColumn(deps, { table: totpSecrets, id, sealed: sealedBackupCodes, contextOf: contextOfCodes })
}
