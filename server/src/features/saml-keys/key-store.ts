import type { Clock } from '../../platform/clock.js'
import { createSharedWork } from '../../platform/concurrency/shared-work.js'
import type { Envelope } from '../../platform/crypto/envelope.js'
import type { RsaKeyPairs } from '../../platform/crypto/rsa-key-pair.js'
import type { Database, Runner } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { Audit } from '../audit/index.js'
import { withCertificate } from './make-key.js'
import { nameOfOwner, type SamlKeyOwner } from './owner.js'
import { samlKeyRepository } from './repository.js'
import { createKeyReader, type SamlKeys } from './usable-keys.js'

export interface SamlKeyDeps {
  db: Database
  clock: Clock
  audit: Audit
  envelope: Envelope
  rsaKeyPairs: RsaKeyPairs
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
