import { createPrivateKey, type KeyObject } from 'node:crypto'
import { createSharedWork } from '../../platform/concurrency/shared-work.js'
import type { Envelope } from '../../platform/crypto/envelope.js'
import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { ApplicationId, TeamId } from '../../platform/ids.js'
import type { Platform } from '../../platform/platform.js'
import type { SigningKey } from '../../protocols/saml/index.js'
import type { Audit } from '../audit/index.js'
import { contextOf, withCertificate } from './make-key.js'
import { nameOfOwner, type SamlKeyOwner } from './owner.js'
import { type StoredSamlKey, samlKeyRepository } from './repository.js'

export interface SamlKeyDeps extends Pick<Platform, 'db' | 'clock' | 'envelope' | 'rsaKeyPairs'> {
  audit: Audit
}

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

export interface SamlKeyStore {
  /**
   * Returns the keys of an owner; creates the first one, once across concurrent calls. Opens transactions, so call it outside of any.
   * Returns undefined if the owner was deleted.
   */
  of(owner: SamlKeyOwner, origin: RequestOrigin): Promise<SamlKeys | undefined>
  /** Returns the existing keys of an owner, also inside a transaction; undefined if there are none. */
  read(runner: Runner, owner: SamlKeyOwner): Promise<SamlKeys | undefined>
}

export function createSamlKeyStore(deps: SamlKeyDeps): SamlKeyStore {
  const { db, clock, audit, envelope, rsaKeyPairs } = deps
  const readKeys = createKeyReader(envelope)
  const read: SamlKeyStore['read'] = (runner, owner) => readKeys(runner, owner, clock.now())
  const shared = createSharedWork<string>()

  async function makeFirst(owner: SamlKeyOwner, origin: RequestOrigin): Promise<void> {
    // The caller may be unauthenticated: create no key for an unknown owner.
    if ((await db.transaction((tx) => nameOfOwner(tx, owner))) === undefined) return
    const { privateKey } = await rsaKeyPairs.generate(owner.teamId)
    await db.transaction(async (tx) => {
      const name = await nameOfOwner(tx, owner)
      if (name === undefined) return
      const key = withCertificate(deps, privateKey, name)
      if (!(await samlKeyRepository(tx, owner, clock.now()).insert({ ...key, state: 'active' }))) return
      await audit.record(tx, { userId: null, teamId: owner.teamId, origin }, 'saml_key.created', {
        resource: resourceOf(owner),
        metadata: { keyId: key.id, notAfter: key.notAfter.toISOString() },
      })
    })
  }

  return {
    read,
    async of(owner, origin) {
      const known = await read(db, owner)
      if (known) return known
      // Concurrent requests on one node create one key; on several nodes, the first insert wins.
      await shared(resourceOf(owner), () => makeFirst(owner, origin))
      return read(db, owner)
    },
  }
}

/** The resource of an audit entry about an owner's key. */
export const resourceOf = ({ teamId, applicationId }: SamlKeyOwner): string =>
  applicationId === null ? `organization:${teamId}` : `application:${applicationId}`

type KeyRow = Pick<StoredSamlKey, 'id' | 'state' | 'certificate' | 'sealedPrivateKey'>

const keysOfOwner = namedQuery<KeyRow, [TeamId, ApplicationId | null, Date]>(
  'saml_keys.of_owner',
  `SELECT id, state, certificate, sealed_private_key AS "sealedPrivateKey" FROM saml_keys
   WHERE organization_id = $1 AND application_id IS NOT DISTINCT FROM $2 AND (ends_at IS NULL OR ends_at > $3)
   ORDER BY state = 'active' DESC, state = 'next' DESC, id DESC`,
)

/** Limit of decrypted keys in the memory of a node. */
const HELD_KEYS = 2_000

/**
 * Returns a reader of an owner's keys, which returns undefined if there are none. The list of keys is read every time; a private key never
 * changes, so it is decrypted once.
 */
function createKeyReader(envelope: Envelope) {
  const held = new Map<StoredSamlKey['id'], KeyObject>()

  const opened = ({ id, sealedPrivateKey }: KeyRow): KeyObject => {
    const known = held.get(id)
    if (known) return known
    const key = createPrivateKey({
      key: envelope.open(sealedPrivateKey, contextOf(id)),
      format: 'der',
      type: 'pkcs8',
    })
    held.set(id, key)
    const [oldest] = held.keys()
    if (held.size > HELD_KEYS && oldest) held.delete(oldest)
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
