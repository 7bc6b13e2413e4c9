import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/clock.js'
import type { Envelope } from '../../../platform/crypto/envelope.js'
import type { KeyRing } from '../../../platform/crypto/key-ring.js'
import { randomKey, uuidv7 } from '../../../platform/crypto/random.js'
import type { SealedColumn } from '../../../platform/crypto/rewrap-column.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { AuditKeyId, UserId } from '../../../platform/ids.js'
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
   */
  forWriting(runner: Transaction | Runner, persons: Person[]): Promise<PersonKey[]>
}

interface KeyRow {
  id: AuditKeyId
  user_id: UserId | null
  address_hash: Buffer | null
  sealed_key: string | null
}

const findKeys = namedQuery<KeyRow, [UserId[], Buffer[]]>(
  'audit.find_keys',
  `SELECT id, user_id, address_hash, sealed_key FROM audit_keys WHERE user_id = ANY($1::uuid[])
   UNION ALL SELECT id, user_id, address_hash, sealed_key FROM audit_keys WHERE address_hash = ANY($2::bytea[])`,
)

const insertKeys = namedQuery<never, [string]>(
  'audit.insert_keys',
  `INSERT INTO audit_keys (id, user_id, address_hash, sealed_key, created_at)
   SELECT (k ->> 'id')::uuid, (k ->> 'userId')::uuid, decode(k ->> 'addressHash', 'hex'), k ->> 'sealedKey', (k ->> 'createdAt')::timestamptz
   FROM jsonb_array_elements($1::jsonb) k ON CONFLICT DO NOTHING`,
)

const readKeys = namedQuery<{ id: AuditKeyId; sealed_key: string }, [AuditKeyId[]]>(
  'audit.read_keys',
  'SELECT id, sealed_key FROM audit_keys WHERE id = ANY($1::uuid[]) AND sealed_key IS NOT NULL',
)

const contextOf = (id: string) => `audit-key:${id}`

/** The columns that `ENCRYPTION_KEY` encrypts. */
export const SEALED_AUDIT_KEYS: SealedColumn[] = [{ id: auditKeys.id, sealed: auditKeys.sealedKey, contextOf }]

/** Returns the keyed hash of an email address, by which its key is found. */
export const addressHash = (keys: KeyRing, email: string): Buffer =>
  createHmac('sha256', keys.current('audit_lookup').key).update(`address ${email.toLowerCase()}`).digest()

/** Returns the keys that were not erased, by ID. Always reads the database. */
export async function readPersonKeys(
  runner: Runner,
  envelope: Envelope,
  ids: AuditKeyId[],
): Promise<Map<string, Buffer>> {
  const rows = ids.length > 0 ? await runner.run(readKeys, [[...new Set(ids)]]) : []
  return new Map(rows.map(({ id, sealed_key }) => [id, envelope.open(sealed_key, contextOf(id))]))
}

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
    return { id, ...of, sealedKey: envelope.seal(randomKey(), contextOf(id)), createdAt: clock.now() }
  }

  async function find(runner: Runner, wanted: Map<string, Person>): Promise<Map<string, PersonKey>> {
    const persons = [...wanted]
    const users = persons.flatMap(([, person]) => ('userId' in person ? [person.userId] : []))
    const hashes = persons.flatMap(([name, person]) => ('userId' in person ? [] : [Buffer.from(name, 'hex')]))
    const rows = await runner.run(findKeys, [users, hashes])
    return new Map(rows.map((row) => [row.user_id ?? row.address_hash?.toString('hex') ?? '', open(row)]))
  }

  async function findOrCreate(runner: Runner, wanted: Map<string, Person>): Promise<Map<string, PersonKey>> {
    const found = await find(runner, wanted)
    // In the order of their names, so that two transactions that create the same keys do not wait for each other.
    const missing = [...wanted].filter(([name]) => !found.has(name)).sort(([a], [b]) => (a < b ? -1 : 1))
    if (missing.length === 0) return found
    await runner.run(insertKeys, [JSON.stringify(missing.map(([name, person]) => newKey(person, name)))])
    // Another transaction may have created some of them.
    return new Map([...found, ...(await find(runner, new Map(missing)))])
  }

  return {
    async forWriting(runner, persons) {
      const own = inTransaction.get(runner)
      const names = persons.map(nameOf)
      const known = (name: string) => remembered.get(name) ?? own?.get(name)
      const wanted = new Map<string, Person>()
      for (const [index, name] of names.entries()) if (!known(name)) wanted.set(name, persons[index] as Person)
      const read = wanted.size > 0 ? await findOrCreate(runner, wanted) : new Map<string, PersonKey>()
      const result = names.map((name) => known(name) ?? (read.get(name) as PersonKey))
      if (read.size > 0) remember(runner, read)
      return result
    },
  }

  function remember(runner: Transaction | Runner, read: Map<string, PersonKey>): void {
    const keep = () => {
      for (const [name, key] of read) remembered.set(name, key)
    }
    // A key that is rolled back must not encrypt later entries.
    if ('afterCommit' in runner) {
      inTransaction.set(runner, new Map([...(inTransaction.get(runner) ?? []), ...read]))
      runner.afterCommit(keep)
    } else keep()
  }
}
