import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Clock, DAY, fromNow, HOUR, MINUTE, SECOND } from '../clock.js'
import type { Database, Runner, Transaction } from '../db/database.js'
import { namedQuery } from '../db/named-query.js'
import { serverKeys } from '../db/platform-tables.js'
import type { Envelope } from './envelope.js'
import { randomKey, uuidv7 } from './random.js'

/**
 * The service's own symmetric keys, sealed in the database so that all nodes share them: `session` signs account access
 * tokens (HS256: nobody but this service ever verifies them), `successor` derives the successor of a refresh token, `challenge` signs
 * what a passkey is to answer. Five are never replaced or dropped: what `seal` (the seals of the audit chain) and `backup_code` (hashes of
 * backup codes) made stays, and of `dpop_nonce` are made the nonces of every node, which say no more than what time it is here. `link`
 * derives the one-time tokens of mailed links, so that a valid link can be mailed again although only its hash is stored. `access_token`
 * seals what access tokens of applications allow, which may last for a year.
 *
 * Rotation needs no downtime: a new key is stored ten minutes before it signs, every node reads the table again once a minute while it works, and
 * an old key is kept long after its last token has ended.
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
] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]

const LASTING: readonly KeyPurpose[] = ['seal', 'backup_code', 'dpop_nonce', 'link', 'access_token']

export interface ServerKey {
  id: string
  purpose: KeyPurpose
  key: Buffer
  activeAt: Date
}

export interface KeyRing {
  /** The key that signs now. */
  current(purpose: KeyPurpose): ServerKey
  /**
   * A key by its id; looks into the database, at most once a second, when this node does not know it.
   * @param tx the transaction of a step, which must not wait for a second connection
   */
  find(purpose: KeyPurpose, id: string, tx?: Transaction): Promise<ServerKey | undefined>
  /** The key by its id if this node knows it already: the hot path. */
  known(purpose: KeyPurpose, id: string): ServerKey | undefined
  /**
   * Returns a promise once the keys are so old that another node may have dropped the one that this node signs with, as on a node without
   * requests for a day. It resolves when they were read again, or after a second without an answer of the database.
   */
  reloadIfIdle(): Promise<void> | undefined
  /** Adds a key to each purpose whose newest is older than 90 days, and drops those that nothing needs. Run daily. */
  rotate(): Promise<void>
  /** Wraps every key under the first ENCRYPTION_KEY. Run at the start. */
  rewrap(): Promise<void>
}

const ROTATE_AFTER = 90 * DAY
const LEARN_TIME = 10 * MINUTE
const RELOAD_EVERY = MINUTE
/** Shorter than LEARN_TIME. */
const IDLE_AFTER = 5 * MINUTE
/** Longer than anything a key signed can still be presented (access tokens 15 minutes, a derived successor an hour). */
const KEEP_FOR = 24 * HOUR

const KEY_LOCK = 7_239_002
const allKeys = namedQuery<{ id: string; purpose: KeyPurpose; sealed_key: string; active_at: Date; created_at: Date }>(
  'platform.server_keys',
  'SELECT id, purpose, sealed_key, active_at, created_at FROM server_keys ORDER BY active_at DESC',
)
const contextOf = (id: string) => `server-key:${id}`

interface KeyRingDeps {
  db: Database
  envelope: Envelope
  clock: Clock
}

/** Opens the ring, making the first keys when there are none. */
export async function openKeyRing(deps: KeyRingDeps): Promise<KeyRing> {
  const { db, envelope, clock } = deps
  let keys = new Map<string, ServerKey>()
  let byPurpose = new Map<KeyPurpose, ServerKey[]>()
  let loadedAt = 0

  /** One load serves all who wait for it. */
  let loading: Promise<void> | undefined
  function load(): Promise<void> {
    loading ??= read(db).finally(() => {
      loading = undefined
    })
    return loading
  }

  /** Reads anew in the background when the last look is a minute old; learning of other nodes' keys delays no request. */
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
    async rotate() {
      await addKeys(
        deps,
        (newest, purpose) =>
          !LASTING.includes(purpose) && newest !== undefined && newest.getTime() < clock.ms() - ROTATE_AFTER,
        LEARN_TIME,
      )
      await db.transaction(async (tx) => {
        // A key may go when another of its purpose has signed alone for long enough.
        await tx.execute(sql`DELETE FROM server_keys old WHERE EXISTS (SELECT 1 FROM server_keys newer
          WHERE old.purpose <> ALL(${sql.param(LASTING)}::text[]) AND newer.purpose = old.purpose AND newer.active_at > old.active_at AND newer.active_at < ${fromNow(clock, -KEEP_FOR)})`)
      })
      await load()
    },
    async rewrap() {
      for (const { id, sealed_key } of await db.run(allKeys, [])) {
        const rewrapped = envelope.rewrap(sealed_key, contextOf(id))
        if (rewrapped)
          await db.execute(
            sql`UPDATE ${serverKeys} SET sealed_key = ${rewrapped} WHERE id = ${id} AND sealed_key = ${sealed_key}`,
          )
      }
    },
  }
}

async function addKeys(
  { db, envelope, clock }: KeyRingDeps,
  due: (newest: Date | undefined, purpose: KeyPurpose) => boolean,
  delay: number,
): Promise<void> {
  await db.transaction(async (tx: Transaction) => {
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
  })
}
