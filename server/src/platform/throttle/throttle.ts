import { lt } from 'drizzle-orm'
import ipaddr from 'ipaddr.js'
import { type Clock, DAY, fromNow, HOUR } from '../clock.js'
import { hashParts } from '../crypto/token-hash.js'
import type { Database, Runner, Transaction } from '../db/database.js'
import { deleteInBatches } from '../db/delete-in-batches.js'
import { namedQuery } from '../db/named-query.js'
import { throttleCounters } from '../db/platform-tables.js'
import { retryLater } from '../errors.js'
import type { JobKind } from '../jobs/jobs.js'

/**
 * Counters that all nodes share. A count is a statement of its own or of a transaction that is committed also when the act is
 * refused: a failure that was rolled back would not have been counted.
 */
export type ThrottleKey = Buffer & { readonly throttle?: true }

export interface Limit {
  /** How many within the window; 0 switches the limit off. */
  most: number
  windowMs: number
  /** How long everything is refused once the limit is reached. */
  lockMs: number
}

export const throttleKey = (kind: string, ...parts: string[]): ThrottleKey => hashParts('throttle', kind, ...parts)

/** The source of a request as it is counted: an address, or the /64 of an IPv6 address, of which one host has all. */
export function sourceOf(ip: string | null): string {
  if (!ip || !ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv6' ? `${address.toByteArray().slice(0, 8).join('.')}/64` : address.toString()
}

const readState = namedQuery<{ locked: boolean }, [Buffer, Date]>(
  'throttle.state',
  'SELECT coalesce(locked_until > $2, false) AS locked FROM throttle_counters WHERE key = $1',
)

// Nothing is counted while the key is locked, so that nobody can hold a lock for ever; after the lock counting starts anew.
const countOne = namedQuery<{ count: number; locked: boolean }, [Buffer, Date, Date, number, Date]>(
  'throttle.count',
  `INSERT INTO throttle_counters AS c (key, count, window_ends_at, locked_until)
   VALUES ($1, 1, $3, CASE WHEN 1 >= $4::int THEN $5::timestamptz END)
   ON CONFLICT (key) DO UPDATE SET
     count = CASE WHEN c.locked_until > $2 THEN c.count WHEN c.window_ends_at <= $2 OR c.locked_until <= $2 THEN 1 ELSE c.count + 1 END,
     window_ends_at = CASE WHEN c.locked_until > $2 THEN c.window_ends_at WHEN c.window_ends_at <= $2 OR c.locked_until <= $2 THEN $3 ELSE c.window_ends_at END,
     locked_until = CASE WHEN c.locked_until > $2 THEN c.locked_until
       WHEN (CASE WHEN c.window_ends_at <= $2 OR c.locked_until <= $2 THEN 1 ELSE c.count + 1 END) >= $4::int THEN $5::timestamptz END
   RETURNING count, coalesce(locked_until > $2, false) AS locked`,
)

// A source's count falls with the end of its window alone: what one slow try does to its turn must not buy it new tries.
const countSource = namedQuery<never, [Buffer, Date, Date]>(
  'throttle.count_source',
  `INSERT INTO throttle_counters AS c (key, count, window_ends_at) VALUES ($1, 1, $3)
   ON CONFLICT (key) DO UPDATE SET
     count = CASE WHEN c.window_ends_at <= $2 THEN 1 ELSE c.count + 1 END,
     window_ends_at = CASE WHEN c.window_ends_at <= $2 THEN $3 ELSE c.window_ends_at END`,
)

// Whoever judges a key and then counts on it takes turns with others of that key until the transaction ends; two statements,
// because one would read what was there before it waited.
const takeKey = namedQuery<never, [string]>('throttle.take_key', 'SELECT pg_advisory_xact_lock($1::bigint)')

const clearKeys = namedQuery<never, [Buffer[]]>(
  'throttle.clear',
  'DELETE FROM throttle_counters WHERE key = ANY($1::bytea[])',
)

// Of many who ask in the same second one gets the turn.
const takeTurn = namedQuery<{ key: Buffer }, [Buffer, Date, Date]>(
  'throttle.take_turn',
  'UPDATE throttle_counters SET locked_until = $3 WHERE key = $1 AND (locked_until IS NULL OR locked_until <= $2) RETURNING key',
)

const overLimit = namedQuery<{ key: Buffer }, [Buffer, Date, number]>(
  'throttle.over_limit',
  'SELECT key FROM throttle_counters WHERE key = $1 AND window_ends_at > $2 AND count >= $3',
)

export interface Throttle {
  /** Counts one; answers whether the key is locked now. */
  count(runner: Runner, key: ThrottleKey, limit: Limit): Promise<boolean>
  /** A step: whether the key is locked. Until the transaction ends nobody else judges it, so that of many guesses at once none is judged beyond the limit. */
  isLocked(tx: Transaction, key: ThrottleKey): Promise<boolean>
  clear(runner: Runner, keys: ThrottleKey[]): Promise<void>
  /** Counts a failure of a source, which is slowed and never locked. */
  countFailure(runner: Runner, key: ThrottleKey, limit: Pick<Limit, 'most' | 'windowMs'>): Promise<void>
  /** Lets a source that failed too often try once a second. @throws rate_limited */
  admitSource(runner: Runner, key: ThrottleKey, most: number): Promise<void>
}

export function createThrottle(clock: Clock): Throttle {
  const after = (milliseconds: number) => new Date(clock.ms() + milliseconds)
  return {
    async count(runner, key, { most, windowMs, lockMs }) {
      if (most === 0) return false
      const [row] = await runner.run(countOne, [key, clock.now(), after(windowMs), most, after(lockMs)])
      return row?.locked ?? false
    },
    async isLocked(tx, key) {
      await tx.run(takeKey, [key.readBigInt64BE().toString()])
      const [state] = await tx.run(readState, [key, clock.now()])
      return state?.locked ?? false
    },
    async clear(runner, keys) {
      await runner.run(clearKeys, [keys])
    },
    async countFailure(runner, key, { most, windowMs }) {
      if (most > 0) await runner.run(countSource, [key, clock.now(), after(windowMs)])
    },
    async admitSource(runner, key, most) {
      if (most === 0) return
      const [over] = await runner.run(overLimit, [key, clock.now(), most])
      if (!over) return
      const [turn] = await runner.run(takeTurn, [key, clock.now(), after(1_000)])
      if (!turn) throw retryLater('rate_limited', 1)
    },
  }
}

/** Takes away counters that count nothing any more. */
export const purgeThrottle = (db: Database, clock: Clock): JobKind => ({
  kind: 'throttle.purge',
  every: HOUR,
  run: () => deleteInBatches(db, throttleCounters, lt(throttleCounters.windowEndsAt, fromNow(clock, -DAY))),
})
