import type { Envelope } from '../../platform/crypto/envelope.js'
import { rewrapColumn } from '../../platform/crypto/rewrap-column.js'
import type { Database } from '../../platform/db/database.js'
import { contextOf } from './make-key.js'
import { samlKeys } from './tables.js'

/** Encrypts every private key with the first ENCRYPTION_KEY. Runs at startup. */
export const rewrapSamlKeys = (deps: { db: Database; envelope: Envelope }): Promise<void> =>
  rewrapColumn(deps, { table: samlKeys, id: samlKeys.id, sealed: samlKeys.sealedPrivateKey, contextOf })
