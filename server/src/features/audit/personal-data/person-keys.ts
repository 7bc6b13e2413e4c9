import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/clock.js'
import type { Envelope } from '../../../platform/crypto/envelope.js'
import type { KeyRing } from '../../../platform/crypto/key-ring.js'
import { randomKey, uuidv7 } from '../../../platform/crypto/random.js'
import type { SealedColumn } from '../../../platform/crypto/rewrap-column.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { type AuditKeyId, NO_USER, type UserId } from '../../../platform/ids.js'
import { auditKeys } from '../tables.js'
import type { Person } from './personal-members.js'

/** The key of a person; null after the erasure of the person, whose data is then no longer recorded. */
export interface PersonKey {
  id: AuditKeyId
  key: Buffer | null
}

export interface PersonKeyDeps {
  clock: Clock
  keys: KeyRing
  envelope: Envelope
}

export interface PersonKeys {
  /**
   * Returns the keys of persons, in their order, and creates missing ones. For writing only: this node may remember a key that another
   * node has erased, and what it encrypts is then unreadable.
   * @param isAttempt runs the same statement whether or not the key is remembered or exists, so that the duration of an attempt to sign in
   *   does not show whether the email address has an account
   */
  forWriting(runner: Transaction | Runner, persons: Person[], isAttempt?: boolean): Promise<PersonKey[]>
}

interface KeyRow {
  id: AuditKeyId
  user_id: UserId | null
  address_hash: Buffer | null
  sealed_key: string | null
}

/**
 * Creates missing keys and returns those that exist, in one statement: a known and an unknown email address cause the same statements. Omits
 * a key that another transaction is creating.
 */
const ensureKeys = namedQuery<KeyRow, [string]>(
  'audit.ensure_keys',
  `WITH wanted AS (SELECT (k ->> 'id')::uuid AS id, (k ->> 'userId')::uuid AS user_id, decode(k ->> 'addressHash', 'hex') AS address_hash, k ->> 'sealedKey' AS sealed_key,
       (k ->> 'createdAt')::timestamptz AS created_at FROM jsonb_array_elements($1::jsonb) k),
     created AS (INSERT INTO audit_keys (id, user_id, address_hash, sealed_key, created_at) SELECT * FROM wanted ON CONFLICT DO NOTHING
       RETURNING id, user_id, address_hash, sealed_key)
   SELECT * FROM created
   UNION ALL SELECT k.id, k.user_id, k.address_hash, k.sealed_key FROM wanted w JOIN audit_keys k ON k.user_id = w.user_id
   UNION ALL SELECT k.id, k.user_id, k.address_hash, k.sealed_key FROM wanted w JOIN audit_keys k ON k.address_hash = w.address_hash`,
)

const readKeys = namedQuery<{ id: AuditKeyId; sealed_key: string }, [AuditKeyId[]]>(
  'audit.read_keys',
  'SELECT id, sealed_key FROM audit_keys WHERE id = ANY($1::uuid[]) AND sealed_key IS NOT NULL',
)

const contextOf = (id: string) => `audit-key:${id}`

/** Returns a new key, encrypted. */
export const newSealedKey = (envelope: Envelope, id: AuditKeyId): string => envelope.seal(randomKey(), contextOf(id))

/** The columns that `ENCRYPTION_KEY` encrypts. */
export const SEALED_AUDIT_KEYS: SealedColumn[] = [{ id: auditKeys.id, sealed: auditKeys.sealedKey, contextOf }]

/** Returns the keyed hash of an email address, by which its key is found. */
export const addressHash = (keys: KeyRing, email: string): Buffer =>
  createHmac('sha256', keys.current('audit_lookup').key).update(`address ${email.toLowerCase()}`).digest()

/**
 * Returns the keys that were not erased, by ID. Always reads the database. A key that cannot be decrypted was changed in the database; its data is
 * then unreadable, as after an erasure.
 */
export async function readPersonKeys(
  runner: Runner,
  envelope: Envelope,
  ids: AuditKeyId[],
): Promise<Map<string, Buffer>> {
  const rows = ids.length > 0 ? await runner.run(readKeys, [[...new Set(ids)]]) : []
  const keys = new Map<string, Buffer>()
  for (const { id, sealed_key } of rows) {
    try {
      keys.set(id, envelope.open(sealed_key, contextOf(id)))
    } catch {
      // `keyward keys status` reports values under a key that ENCRYPTION_KEY does not list.
    }
  }
  return keys
}

/** Keys of users are remembered; those of addresses are not, because an erasure frees the address for another person. */
const isOfUser = (name: string): boolean => name.length === NO_USER.length

/** Remembered keys of a node, about 200 bytes each. */
const MAX_REMEMBERED = 50_000

export function createPersonKeys({ clock, keys, envelope }: PersonKeyDeps): PersonKeys {
  const remembered = new LRUCache<string, PersonKey>({ max: MAX_REMEMBERED })
  /** Keys that a transaction read or created; they are remembered when it has committed. */
  const inTransaction = new WeakMap<Runner, Map<string, PersonKey>>()

  const nameOf = (person: Person): string =>
    'userId' in person ? person.userId : addressHash(keys, person.email).toString('hex')
  const open = ({ id, sealed_key }: KeyRow): PersonKey => ({
    id,
    key: sealed_key === null ? null : envelope.open(sealed_key, contextOf(id)),
  })
  const newKey = (person: Person, name: string) => {
    const id = uuidv7<AuditKeyId>(clock)
    const of = 'userId' in person ? { userId: person.userId } : { addressHash: name }
    return { id, ...of, sealedKey: newSealedKey(envelope, id), createdAt: clock.now() }
  }

  async function ensure(runner: Runner, wanted: Map<string, Person>): Promise<Map<string, PersonKey>> {
    const found = new Map<string, PersonKey>()
    // In the order of their names, so that two transactions that create the same keys do not wait for each other.
    const sorted = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))
    // The second statement sees a key that another transaction was creating during the first one.
    for (let missing = sorted; missing.length > 0; missing = missing.filter(([name]) => !found.has(name))) {
      const rows = await runner.run(ensureKeys, [JSON.stringify(missing.map(([name, person]) => newKey(person, name)))])
      for (const row of rows) found.set(row.user_id ?? row.address_hash?.toString('hex') ?? '', open(row))
    }
    return found
  }

  return {
    async forWriting(runner, persons, isAttempt = false) {
      const own = inTransaction.get(runner)
      const names = persons.map(nameOf)
      const known = (name: string) => (isAttempt ? undefined : (remembered.get(name) ?? own?.get(name)))
      const wanted = new Map<string, Person>()
      for (const [index, name] of names.entries()) if (!known(name)) wanted.set(name, persons[index] as Person)
      const read = wanted.size > 0 ? await ensure(runner, wanted) : new Map<string, PersonKey>()
      const result = names.map((name) => known(name) ?? (read.get(name) as PersonKey))
      if (read.size > 0) remember(runner, read)
      return result
    },
  }

  function remember(runner: Transaction | Runner, read: Map<string, PersonKey>): void {
    const keep = () => {
      for (const [name, key] of read) if (isOfUser(name)) remembered.set(name, key)
    }
    // A key that is rolled back must not encrypt later entries.
    if ('afterCommit' in runner) {
      inTransaction.set(runner, new Map([...(inTransaction.get(runner) ?? []), ...read]))
      runner.afterCommit(keep)
    } else keep()
  }
}
