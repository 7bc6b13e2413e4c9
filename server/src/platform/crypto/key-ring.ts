import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Clock, DAY, fromNow, HOUR, MINUTE, SECOND } from '../clock.js'
import type { Database, Runner, Transaction } from '../db/database.js'
import { namedQuery } from '../db/named-query.js'
import { serverKeys } from '../db/platform-tables.js'
import type { Envelope } from './envelope.js'
import { randomKey, uuidv7 } from './random.js'
import type { SealedColumn } from './rewrap-column.js'

/**
 * The symmetric keys of the service, sealed in the database so that all nodes share them.
 *
 * Rotated: `session` signs account access tokens (HS256, because only this service verifies them), `successor` derives the successor
 * of a refresh token, `challenge` signs passkey challenges, `log` hashes IP addresses and user IDs in the log.
 *
 * Permanent: `seal` (seals of the audit chain) and `backup_code` (hashes of backup codes), whose results are stored; `dpop_nonce`,
 * whose nonces contain only a time; `link`, which derives the one-time tokens of mailed links, so that a valid link can be resent
 * although only its hash is stored; `audit_lookup`, which hashes IP addresses and email addresses in the audit log; `access_token`, which seals the contents of applications' access tokens, valid for up to a year.
 *
 * Rotation requires no downtime: a new key is stored ten minutes before it signs, active nodes reload the table once a minute, and an
 * old key is stored until long after its last token has expired.
 */
const KEY_PURPOSES = [
  'session',
  'successor',
  'challenge',
  'seal',
  'backup_code',
  'dpop_nonce',
  'link',
  'access_token',
  'audit_lookup',
  'log',
] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]

const LASTING: readonly KeyPurpose[] = ['seal', 'backup_code', 'dpop_nonce', 'link', 'access_token', 'audit_lookup']

export interface ServerKey {
  id: string
  purpose: KeyPurpose
  key: Buffer
  activeAt: Date
}

export interface KeyRing {
  /** Returns the key that signs now. */
  current(purpose: KeyPurpose): ServerKey
  /**
   * Returns a key by its ID. Reads the database, at most once a second, if this node does not know it.
   * @param tx required inside a transaction, which must not wait for a second connection
   */
  find(purpose: KeyPurpose, id: string, tx?: Transaction): Promise<ServerKey | undefined>
  /** Returns the key by its ID if this node has loaded it: the hot path. */
  known(purpose: KeyPurpose, id: string): ServerKey | undefined
  /**
   * Returns a promise if the keys are so old that another node may have deleted the signing key of this one, as on a node without
   * requests for a day. It resolves after a reload, or after a second without a response from the database.
   */
  reloadIfIdle(): Promise<void> | undefined
  /**
   * Adds a key to each rotated purpose whose newest is older than 90 days, and deletes keys that are no longer needed. Run daily.
   * @param early the rotation of the operator: adds a key to each rotated purpose, and runs `record` in the same transaction
   * @returns the number of added keys
   */
  rotate(early?: { record(tx: Transaction): Promise<void> }): Promise<number>
}

const ROTATE_AFTER = 90 * DAY
const LEARN_TIME = 10 * MINUTE
const RELOAD_EVERY = MINUTE
/** Shorter than LEARN_TIME. */
const IDLE_AFTER = 5 * MINUTE
/** Longer than the lifetime of anything that a key signed (access tokens 15 minutes, a derived successor an hour). */
const KEEP_FOR = 24 * HOUR

const KEY_LOCK = 7_239_002
const allKeys = namedQuery<{ id: string; purpose: KeyPurpose; sealed_key: string; active_at: Date; created_at: Date }>(
  'platform.server_keys',
  'SELECT id, purpose, sealed_key, active_at, created_at FROM server_keys ORDER BY active_at DESC',
)
const contextOf = (id: string) => `server-key:${id}`

/** The columns that `ENCRYPTION_KEY` encrypts. */
export const SEALED_SERVER_KEYS: SealedColumn[] = [{ id: serverKeys.id, sealed: serverKeys.sealedKey, contextOf }]

interface KeyRingDeps {
  db: Database
  envelope: Envelope
  clock: Clock
}

/** Loads the keys and creates the first ones. */
export async function openKeyRing(deps: KeyRingDeps): Promise<KeyRing> {
  const { db, envelope, clock } = deps
  let keys = new Map<string, ServerKey>()
  let byPurpose = new Map<KeyPurpose, ServerKey[]>()
  let loadedAt = 0

  /** Concurrent callers share one load. */
  let loading: Promise<void> | undefined
  function load(): Promise<void> {
    loading ??= read(db).finally(() => {
      loading = undefined
    })
    return loading
  }

  /** Reloads in the background if the last load is a minute old, so that no request waits for the keys of other nodes. */
  function stayCurrent(): void {
    if (Math.abs(clock.ms() - loadedAt) > RELOAD_EVERY) load().catch(() => undefined)
  }

  async function read(runner: Runner): Promise<void> {
    const rows = await runner.run(allKeys, [])
    const next = rows.map(({ id, purpose, sealed_key, active_at }) => {
      const earlier = keys.get(id)
      return { id, purpose, activeAt: active_at, key: earlier?.key ?? envelope.open(sealed_key, contextOf(id)) }
    })
    keys = new Map(next.map((key) => [key.id, key]))
    byPurpose = new Map(KEY_PURPOSES.map((purpose) => [purpose, next.filter((key) => key.purpose === purpose)]))
    loadedAt = clock.ms()
  }

  const known = (purpose: KeyPurpose, id: string): ServerKey | undefined => {
    const key = keys.get(id)
    return key?.purpose === purpose ? key : undefined
  }

  await addKeys(deps, (newest) => newest === undefined, 0)
  await load()

  return {
    current(purpose) {
      const now = clock.ms()
      stayCurrent()
      const key =
        byPurpose.get(purpose)?.find(({ activeAt }) => activeAt.getTime() <= now) ?? byPurpose.get(purpose)?.at(-1)
      if (!key) throw new Error(`There is no key for ${purpose}`)
      return key
    },
    known(purpose, id) {
      stayCurrent()
      return known(purpose, id)
    },
    async find(purpose, id, tx) {
      if (!keys.has(id) && Math.abs(clock.ms() - loadedAt) > SECOND) await (tx ? read(tx) : load())
      return known(purpose, id)
    },
    reloadIfIdle() {
      if (Math.abs(clock.ms() - loadedAt) <= IDLE_AFTER) return undefined
      return Promise.race([load().catch(() => undefined), setTimeout(SECOND, undefined, { ref: false })])
    },
    async rotate(early) {
      const added = await addKeys(
        deps,
        (newest, purpose) =>
          !LASTING.includes(purpose) &&
          newest !== undefined &&
          (early !== undefined || newest.getTime() < clock.ms() - ROTATE_AFTER),
        LEARN_TIME,
        early?.record,
      )
      await db.transaction(async (tx) => {
        // A key is deleted once a newer one of its purpose has signed for long enough.
        await tx.execute(sql`DELETE FROM server_keys old WHERE EXISTS (SELECT 1 FROM server_keys newer
          WHERE old.purpose <> ALL(${sql.param(LASTING)}::text[]) AND newer.purpose = old.purpose AND newer.active_at > old.active_at AND newer.active_at < ${fromNow(clock, -KEEP_FOR)})`)
      })
      await load()
      return added
    },
  }
}

async function addKeys(
  { db, envelope, clock }: KeyRingDeps,
  due: (newest: Date | undefined, purpose: KeyPurpose) => boolean,
  delay: number,
  record?: (tx: Transaction) => Promise<void>,
): Promise<number> {
  return db.transaction(async (tx: Transaction) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${KEY_LOCK})`)
    const rows = await tx.run(allKeys, [])
    const added = KEY_PURPOSES.filter((purpose) =>
      due(rows.find((row) => row.purpose === purpose)?.created_at, purpose),
    ).map((purpose) => {
      const id = uuidv7<string>(clock)
      const sealedKey = envelope.seal(randomKey(), contextOf(id))
      return { id, purpose, algorithm: 'HS256', sealedKey, createdAt: clock.now(), activeAt: fromNow(clock, delay) }
    })
    if (added.length > 0) await tx.insert(serverKeys).values(added)
    await record?.(tx)
    return added.length
  })
}
