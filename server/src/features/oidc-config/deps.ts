import type { Clock } from '../../platform/clock.js'
import type { Envelope } from '../../platform/crypto/envelope.js'
import type { Database } from '../../platform/db/database.js'
import type { Audit } from '../audit/index.js'
import type { SigningKeyStore } from './keys/key-store.js'

export interface OidcConfigDeps {
  db: Database
  clock: Clock
  audit: Audit
  envelope: Envelope
  signingKeys: Pick<SigningKeyStore, 'ensure' | 'generate'>
}
