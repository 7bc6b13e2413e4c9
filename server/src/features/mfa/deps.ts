import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Envelope } from '../../platform/crypto/envelope.js'
import type { KeyRing } from '../../platform/crypto/key-ring.js'
import type { Database } from '../../platform/db/database.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import type { Audit } from '../audit/index.js'
import type { VerifiedDomains } from '../members/index.js'

export interface FactorDeps {
  db: Database
  clock: Clock
  audit: Audit
  config: Pick<Config, 'frontendUrl'>
  /** The server's own keys, for WebAuthn challenges and the hashes of backup codes. */
  keys: KeyRing
  /** Encrypts the secrets of authenticator apps. */
  envelope: Envelope
  mailer: Mailer
  verifiedDomains: VerifiedDomains
}
