import { and, isNull, lt, or } from 'drizzle-orm'
import ipaddr from 'ipaddr.js'
import { type Clock, DAY, fromNow, HOUR, SECOND } from '../clock.js'
import { hashParts } from '../crypto/token-hash.js'
import type { Runner, Transaction } from '../db/database.js'
import { namedQuery } from '../db/named-query.js'
import { throttleCounters } from '../db/platform-tables.js'
import type { RetentionRule } from '../db/retention.js'
import { retryLater } from '../errors.js'

/**
 * The key of a counter that all nodes share. Counting is a separate statement, or part of a transaction that commits even if the
 * request is rejected: a rolled-back failure would not count.
 */
export type ThrottleKey = Buffer & { readonly throttle?: true }

export interface Limit {
  /** The maximum within the window; 0 disables the limit. */
  max: number
  windowMs: number
  /** Milliseconds of the lock once the limit is reached. */
  lockMs: number
}

export const throttleKey = (kind: string, ...parts: string[]): ThrottleKey => hashParts('throttle', kind, ...parts)

/** Returns the source of a request: the IPv4 address, or the /64 of an IPv6 address, which one host has to itself. */
export function sourceOf(ip: string | null): string {
  if (!ip || !ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv6' ? `${address.toByteArray().slice(0, 8).join('.')}/64` : address.toString()
}

/** A counter and its current limit. */
export interface Counter {
  key: ThrottleKey
  limit: Limit
}

const readLocked = namedQuery<{ key: Buffer }, [Buffer[], Date]>(
  'throttle.locked',
  'SELECT key FROM throttle_counters WHERE key = ANY($1::bytea[]) AND locked_until > $2',
)

// Does not count while a key is locked, so that failures cannot extend a lock indefinitely; counting restarts after the lock. The
// same statement serves one key and several, so that timing does not reveal the number of counters of an account.
const countAll = namedQuery<
  { key: Buffer; locked: boolean },
  { keys: Buffer[]; now: Date; windowEnds: Date[]; maxCounts: (number | null)[]; lockEnds: Date[] }
>(
  'throttle.count',
  `WITH n AS (SELECT * FROM unnest(:keys::bytea[], :windowEnds::timestamptz[], :maxCounts::int[], :lockEnds::timestamptz[]) AS n (key, window_ends_at, max_count, lock_until))
   INSERT INTO throttle_counters AS c (key, count, window_ends_at, locked_until)
   SELECT key, 1, window_ends_at, CASE WHEN 1 >= max_count THEN lock_until END FROM n ORDER BY key
   ON CONFLICT (key) DO UPDATE SET (count, window_ends_at, locked_until) = (
     SELECT s.count, CASE WHEN f.fresh THEN n.window_ends_at ELSE c.window_ends_at END,
       CASE WHEN f.locked THEN c.locked_until WHEN s.count >= n.max_count THEN n.lock_until END
     FROM n
     CROSS JOIN LATERAL (SELECT coalesce(c.locked_until > :now, false) AS locked,
       c.window_ends_at <= :now AND NOT coalesce(c.locked_until > :now, false) OR coalesce(c.locked_until <= :now, false) AS fresh) f
     CROSS JOIN LATERAL (SELECT CASE WHEN f.locked THEN c.count WHEN f.fresh THEN 1 ELSE c.count + 1 END AS count) s
     WHERE n.key = c.key)
   RETURNING key, coalesce(locked_until > :now, false) AS locked`,
)

// The count of a source is reset only by the end of its window: an attempt that outlasts its interval must not reset it.
const countSource = namedQuery<never, [Buffer, Date, Date]>(
  'throttle.count_source',
  `INSERT INTO throttle_counters AS c (key, count, window_ends_at) VALUES ($1, 1, $3)
   ON CONFLICT (key) DO UPDATE SET
     count = CASE WHEN c.window_ends_at <= $2 THEN 1 ELSE c.count + 1 END,
     window_ends_at = CASE WHEN c.window_ends_at <= $2 THEN $3 ELSE c.window_ends_at END`,
)

// Serializes transactions that check and count the same key. A separate statement, because a single one would read the state
// before the wait.
const lockKey = namedQuery<never, [string]>('throttle.lock_key', 'SELECT pg_advisory_xact_lock($1::bigint)')

const uncountOne = namedQuery<never, [Buffer, Date]>(
  'throttle.uncount',
  'UPDATE throttle_counters SET count = count - 1 WHERE key = $1 AND window_ends_at > $2 AND count > 0',
)

const clearKeys = namedQuery<never, [Buffer[]]>(
  'throttle.clear',
  'DELETE FROM throttle_counters WHERE key = ANY($1::bytea[])',
)

// Admits one of the attempts within a second.
const admitOne = namedQuery<{ key: Buffer }, [Buffer, Date, Date]>(
  'throttle.admit_one',
  'UPDATE throttle_counters SET locked_until = $3 WHERE key = $1 AND (locked_until IS NULL OR locked_until <= $2) RETURNING key',
)

const overLimit = namedQuery<{ key: Buffer }, [Buffer, Date, number]>(
  'throttle.over_limit',
  'SELECT key FROM throttle_counters WHERE key = $1 AND window_ends_at > $2 AND count >= $3',
)

const readCounts = namedQuery<{ count: number }, [Buffer[], Date]>(
  'throttle.counted',
  'SELECT coalesce(max(count), 0)::int AS count FROM throttle_counters WHERE key = ANY($1::bytea[]) AND window_ends_at > $2',
)

/**
 * Rate limits. A use case counts its request under a key of its own (`throttleKey`), such as the account or the source: `admitHourly` for a
 * maximum per hour, `count` for a lockout, `countFailure` and `admitSource` for failures of a source.
 */
export interface Throttle {
  /** Counts one and returns whether the key is locked now. */
  count(runner: Runner, key: ThrottleKey, limit: Limit): Promise<boolean>
  /** Counts one for each counter, including those with limit 0 (which never lock). Returns for each whether it is locked now. */
  countAll(runner: Runner, counters: readonly Counter[]): Promise<boolean[]>
  /** Counts one. @throws rate_limited beyond `max` per hour; 0 disables the limit */
  admitHourly(runner: Runner, key: ThrottleKey, max: number): Promise<void>
  /**
   * Returns for each counter whether it is locked. Holds a lock on the first key until the transaction ends, so that concurrent
   * guesses cannot exceed the limit. Runs in the caller's transaction.
   */
  locked(tx: Transaction, counters: readonly [Counter, ...Counter[]]): Promise<boolean[]>
  /** Returns the highest count of the keys within their windows. Runs in the caller's transaction. */
  counted(tx: Transaction, keys: ThrottleKey[]): Promise<number>
  clear(runner: Runner, keys: ThrottleKey[]): Promise<void>
  /** Subtracts one from the count within the window. */
  uncount(runner: Runner, key: ThrottleKey): Promise<void>
  /** Counts a failure of a source, which is limited to one attempt per second but never locked. */
  countFailure(runner: Runner, key: ThrottleKey, limit: Pick<Limit, 'max' | 'windowMs'>): Promise<void>
  /** Admits one attempt per second of a source with too many failures. @throws rate_limited */
  admitSource(runner: Runner, key: ThrottleKey, max: number): Promise<void>
}

/** Returns for each counter whether it is among `locked`. A limit that was disabled since then has no effect. */
function whichOf(counters: readonly Counter[], locked: { key: Buffer }[]): boolean[] {
  return counters.map(({ key, limit }) => limit.max > 0 && locked.some((row) => key.equals(row.key)))
}

export function createThrottle(clock: Clock): Throttle {
  const after = (milliseconds: number) => new Date(clock.ms() + milliseconds)
  return {
    async count(runner, key, limit) {
      if (limit.max === 0) return false
      return (await this.countAll(runner, [{ key, limit }]))[0] ?? false
    },
    async countAll(runner, counters) {
      const rows = await runner.run(countAll, {
        keys: counters.map(({ key }) => key),
        now: clock.now(),
        windowEnds: counters.map(({ limit }) => after(limit.windowMs)),
        maxCounts: counters.map(({ limit }) => limit.max || null),
        lockEnds: counters.map(({ limit }) => after(limit.lockMs)),
      })
      return whichOf(
        counters,
        rows.filter(({ locked }) => locked),
      )
    },
    async admitHourly(runner, key, max) {
      if (max === 0) return
      // The lock begins at the first count above `max`.
      const isLocked = await this.count(runner, key, { max: max + 1, windowMs: HOUR, lockMs: HOUR })
      if (isLocked) throw retryLater('rate_limited', HOUR / SECOND)
    },
    async locked(tx, counters) {
      await tx.run(lockKey, [counters[0].key.readBigInt64BE().toString()])
      return whichOf(counters, await tx.run(readLocked, [counters.map(({ key }) => key), clock.now()]))
    },
    async counted(tx, keys) {
      return (await tx.run(readCounts, [keys, clock.now()]))[0]?.count ?? 0
    },
    async clear(runner, keys) {
      await runner.run(clearKeys, [keys])
    },
    async uncount(runner, key) {
      await runner.run(uncountOne, [key, clock.now()])
    },
    async countFailure(runner, key, { max, windowMs }) {
      if (max > 0) await runner.run(countSource, [key, clock.now(), after(windowMs)])
    },
    async admitSource(runner, key, max) {
      if (max === 0) return
      const [over] = await runner.run(overLimit, [key, clock.now(), max])
      if (!over) return
      const [admitted] = await runner.run(admitOne, [key, clock.now(), after(1_000)])
      if (!admitted) throw retryLater('rate_limited', 1)
    },
  }
}

export const THROTTLE_RETENTION: RetentionRule[] = [
  {
    table: throttleCounters,
    deleted: 'a day after their window and a lock end',
    condition(clock) {
      const past = fromNow(clock, -DAY)
      // A lock can outlast the window that caused it.
      return and(
        lt(throttleCounters.windowEndsAt, past),
        or(isNull(throttleCounters.lockedUntil), lt(throttleCounters.lockedUntil, past)),
      )
    },
  },
]
