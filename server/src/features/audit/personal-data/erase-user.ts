import { type Clock, DAY, fromNow, HOUR, MINUTE } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Database, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { AuditEntryId, AuditKeyId, UserId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { addressHash, newSealedKey, type PersonKeyDeps } from './person-keys.js'

const eraseKeys = namedQuery<
  never,
  {
    userId: UserId
    addressHash: Buffer | null
    key: string
    keyId: AuditKeyId
    recordId: AuditEntryId
    now: Date
    addressKeyId: AuditKeyId | null
  }
>(
  'audit.erase_user',
  'SELECT erase_user_audit(:userId::uuid, :addressHash::bytea, :key::text, :keyId::uuid, :recordId::uuid, :now::timestamptz, :addressKeyId::uuid)',
)

// The next user of the address gets another key, which this erasure does not destroy.
const insertErasure = namedQuery<never, [UserId, Buffer | null, Date]>(
  'audit.schedule_erasure',
  `WITH released AS (UPDATE audit_keys SET address_hash = NULL WHERE address_hash = $2 RETURNING id)
   INSERT INTO audit_erasures (user_id, address_key_id, due_at) VALUES ($1, (SELECT id FROM released), $3) ON CONFLICT (user_id) DO NOTHING`,
)

const takeDueErasure = namedQuery<{ userId: UserId; addressKeyId: AuditKeyId | null }, [Date]>(
  'audit.take_due_erasure',
  `DELETE FROM audit_erasures WHERE user_id = (SELECT user_id FROM audit_erasures WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING user_id AS "userId", address_key_id AS "addressKeyId"`,
)

/** As long as the security events of an account, and the shortest retention of a log. */
const ERASED_AFTER = 90 * DAY

type Erased = { id: UserId; email?: string }

const hashOf = ({ keys }: PersonKeyDeps, { email }: Erased): Buffer | null =>
  email === undefined ? null : addressHash(keys, email)

/** See `Audit.eraseUser`. */
export const eraseUser = (tx: Transaction, deps: PersonKeyDeps, user: Erased): Promise<void> =>
  destroyKeys(tx, deps, user.id, { addressHash: hashOf(deps, user) })

/** See `Audit.eraseUserLater`. */
export async function eraseUserLater(tx: Transaction, deps: PersonKeyDeps, user: Erased): Promise<void> {
  await tx.run(insertErasure, [user.id, hashOf(deps, user), fromNow(deps.clock, ERASED_AFTER)])
}

/** The hourly job that makes erasures take effect whose time has come, in a transaction each. */
export const erasureJob = (deps: PersonKeyDeps & { db: Database }): JobKind => ({
  kind: 'audit.erase_users',
  every: HOUR,
  delaysFirstRun: true,
  async run() {
    const eraseNext = (tx: Transaction) =>
      tx.run(takeDueErasure, [deps.clock.now()]).then(async ([due]) => {
        if (due) await destroyKeys(tx, deps, due.userId, { addressKeyId: due.addressKeyId })
        return due !== undefined
      })
    while (await deps.db.transaction(eraseNext));
  },
})

/** The database function records the erasure, also for a caller at a SQL prompt. */
async function destroyKeys(
  tx: Transaction,
  { clock, envelope }: PersonKeyDeps,
  userId: UserId,
  { addressHash = null, addressKeyId = null }: { addressHash?: Buffer | null; addressKeyId?: AuditKeyId | null },
): Promise<void> {
  const keyId = uuidv7<AuditKeyId>(clock)
  await tx.run(eraseKeys, {
    userId,
    addressHash,
    addressKeyId,
    key: newSealedKey(envelope, keyId),
    keyId,
    recordId: uuidv7<AuditEntryId>(clock),
    now: clock.now(),
  })
}

/** Longer than a transaction that has read the key before the erasure. */
const CLEAR_AFTER = MINUTE
const BATCH = 500

const erasedKey = namedQuery<{ id: AuditKeyId; userId: UserId | null }, [Date]>(
  'audit.erased_key',
  'SELECT id, user_id AS "userId" FROM audit_keys WHERE erased_at < $1 AND cleared_at IS NULL ORDER BY erased_at LIMIT 1 FOR UPDATE SKIP LOCKED',
)

/** SQL: removes IP hashes of entries under the key `:keyId`. @param which selects them by an index */
const clearing = (which: string): string =>
  `WITH cleared AS (UPDATE audit_entries SET ip_hash = NULL WHERE id IN (
     SELECT id FROM audit_entries WHERE ${which} AND key_id = :keyId AND ip_hash IS NOT NULL LIMIT :limit) RETURNING 1)
   SELECT count(*)::int AS cleared FROM cleared`

const clearHashesOfUser = namedQuery<{ cleared: number }, { userId: UserId; keyId: AuditKeyId; limit: number }>(
  'audit.clear_hashes_of_user',
  clearing('user_id = :userId'),
)

const clearHashesOfAddress = namedQuery<{ cleared: number }, { keyId: AuditKeyId; limit: number }>(
  'audit.clear_hashes_of_address',
  clearing('user_id IS NULL'),
)

const setCleared = namedQuery<never, [AuditKeyId, Date]>(
  'audit.set_cleared',
  'UPDATE audit_keys SET cleared_at = $2 WHERE id = $1',
)

/**
 * Removes the IP hashes of erased users and addresses, in batches of one transaction each: each update writes all indexes of an entry, and a user can have
 * a hundred thousand entries.
 */
export const clearHashesJob = (deps: { db: Database; clock: Clock }): JobKind => ({
  kind: 'audit.clear_ip_hashes',
  every: MINUTE,
  delaysFirstRun: true,
  async run() {
    while (await deps.db.transaction((tx) => clearBatch(tx, deps.clock)));
  },
})

/** @returns false if nothing is left */
async function clearBatch(tx: Transaction, clock: Clock): Promise<boolean> {
  const [erased] = await tx.run(erasedKey, [fromNow(clock, -CLEAR_AFTER)])
  if (!erased) return false
  const { id: keyId, userId } = erased
  const [{ cleared } = { cleared: 0 }] = userId
    ? await tx.run(clearHashesOfUser, { userId, keyId, limit: BATCH })
    : await tx.run(clearHashesOfAddress, { keyId, limit: BATCH })
  if (cleared < BATCH) await tx.run(setCleared, [keyId, clock.now()])
  return true
}
