import { createPrivateKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Envelope } from '../../platform/crypto/envelope.js'
import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId, SamlKeyId, TeamId } from '../../platform/ids.js'
import type { SigningKey } from '../../protocols/saml/index.js'
import { contextOf } from './make-key.js'
import type { SamlKeyOwner } from './owner.js'

/** The keys of an owner, ready for use in messages. */
export interface SamlKeys {
  /** PEM, in the order of the metadata: the signing key's, the next key's, then those of retired keys. */
  certificates: string[]
  /** Certificates to which peers should encrypt: all except those of retired keys. */
  encryptionCertificates: string[]
  signing: SigningKey
  /** Decrypts messages for any published key. */
  decryption: KeyObject[]
}

interface KeyRow {
  id: SamlKeyId
  state: 'next' | 'active' | 'retired'
  certificate: string
  sealed_private_key: string
}

const keysOfOwner = namedQuery<KeyRow, [TeamId, ApplicationId | null, Date]>(
  'saml_keys.of_owner',
  `SELECT id, state, certificate, sealed_private_key FROM saml_keys
   WHERE organization_id = $1 AND application_id IS NOT DISTINCT FROM $2 AND (ends_at IS NULL OR ends_at > $3)
   ORDER BY state = 'active' DESC, state = 'next' DESC, id DESC`,
)

/** Limit of decrypted keys in the memory of a node. */
const MAX_DECRYPTED_KEYS = 2_000

/**
 * Returns a reader of an owner's keys, which returns undefined if there are none. The list of keys is read every time; a private key never
 * changes, so it is decrypted once.
 */
export function createKeyReader(envelope: Envelope) {
  const decrypted = new LRUCache<SamlKeyId, KeyObject>({ max: MAX_DECRYPTED_KEYS })

  const opened = ({ id, sealed_private_key }: KeyRow): KeyObject => {
    const known = decrypted.get(id)
    if (known) return known
    const key = createPrivateKey({
      key: envelope.open(sealed_private_key, contextOf(id)),
      format: 'der',
      type: 'pkcs8',
    })
    decrypted.set(id, key)
    return key
  }

  return async (runner: Runner, { teamId, applicationId }: SamlKeyOwner, now: Date): Promise<SamlKeys | undefined> => {
    const rows = await runner.run(keysOfOwner, [teamId, applicationId, now])
    const active = rows.find(({ state }) => state === 'active')
    return (
      active && {
        certificates: rows.map(({ certificate }) => certificate),
        encryptionCertificates: rows.filter(({ state }) => state !== 'retired').map(({ certificate }) => certificate),
        signing: { privateKey: opened(active), certificate: active.certificate },
        decryption: rows.map(opened),
      }
    )
  }
}
