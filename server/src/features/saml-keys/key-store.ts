import type { Clock } from '../../platform/clock.js'
import { createSharedWork } from '../../platform/concurrency/shared-work.js'
import type { Envelope } from '../../platform/crypto/envelope.js'
import type { RsaKeyPairs } from '../../platform/crypto/rsa-key-pair.js'
import type { Database, Runner } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { Audit } from '../audit/index.js'
import { certified } from './make-key.js'
import { nameOfOwner, type SamlKeyOwner } from './owner.js'
import { samlKeyRepository } from './repository.js'
import { rewrapSamlKeys } from './rewrap-keys.js'
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
   * The keys of an owner; its first is made here when it has none, of many at once one. Opens transactions: never called inside one.
   * Undefined when the owner is gone.
   */
  of(owner: SamlKeyOwner, origin: RequestOrigin): Promise<SamlKeys | undefined>
  /** The same of an owner that has keys, inside a transaction too; undefined while it has none. */
  read(runner: Runner, owner: SamlKeyOwner): Promise<SamlKeys | undefined>
  /** Wraps every private key under the first ENCRYPTION_KEY. Run at the start. */
  rewrap(): Promise<void>
}

export function createSamlKeys(deps: SamlKeyDeps): SamlKeyStore {
  const { db, clock, audit, envelope, rsaKeyPairs } = deps
  const readKeys = createKeyReader(envelope)
  const read: SamlKeyStore['read'] = (runner, owner) => readKeys(runner, owner, clock.now())
  const shared = createSharedWork<string>()

  async function makeFirst(owner: SamlKeyOwner, origin: RequestOrigin): Promise<void> {
    // Who asks may be anybody: a key is made for nobody who is not there.
    if ((await db.transaction((tx) => nameOfOwner(tx, owner))) === undefined) return
    const { privateKey } = await rsaKeyPairs.generate(owner.teamId)
    await db.transaction(async (tx) => {
      const name = await nameOfOwner(tx, owner)
      if (name === undefined) return
      const key = certified(deps, privateKey, name)
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
      // Many requests at one node make one key; those at other nodes lose theirs to it.
      await shared(resourceOf(owner), () => makeFirst(owner, origin))
      return read(db, owner)
    },
    rewrap: () => rewrapSamlKeys(deps),
  }
}

/** How an audit entry names whose key it is. */
export const resourceOf = ({ teamId, applicationId }: SamlKeyOwner): string =>
  applicationId === null ? `organization:${teamId}` : `application:${applicationId}`
