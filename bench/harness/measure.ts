import type { Child } from './child.js'
import type { BenchDatabase } from './database.js'
import { type Exchange, forSeconds, type LoadResult, runLoad } from './http-load.js'

/** One batch of one subject. Processor times are in µs per request. */
export interface Sample {
  /** Number of completed requests. */
  count: number
  /** Processor time of the measured process, all threads: the main result. */
  cpu: number
  /** Processor time of its main thread alone. */
  main: number | null
  /** Processor time of the database connections on the PostgreSQL server, if that runs on this machine. */
  database: number | null
  perSecond: number
  /** Latencies in milliseconds. */
  p50: number
  p99: number
}

export interface Load {
  child: Child
  database?: BenchDatabase | undefined
  connections: number
  /** Returns undefined if there are no more exchanges; the batch then ends early. */
  next: () => Exchange | undefined
  /** Prepares the exchanges for a batch of this duration. Not measured. */
  prepare?: (seconds: number) => Promise<void>
  /** The minimum number of requests before the measurement, independent of the speed of the machine. */
  warmUp?: number
  /** Waits for background work of the requests, so that its processor time is included. */
  drain?: () => Promise<void>
}

const percentile = (sorted: number[], share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0

/** Loads the child for the given time and divides its processor time by the number of completed requests. */
export async function measureLoad(load: Load, seconds: number): Promise<Sample> {
  const { child, connections, next, prepare } = load
  await prepare?.(seconds)
  return measure(load, () => runLoad(child.port, connections, forSeconds(seconds, next)))
}

/** Measures work that the child does without requests. */
export async function measure(
  { child, database, drain }: Pick<Load, 'child' | 'database' | 'drain'>,
  work: () => Promise<LoadResult>,
): Promise<Sample> {
  const [before, databaseBefore] = [await child.usage(), await database?.micros()]
  const { count, seconds, latencies } = await work()
  await drain?.()
  const [after, databaseAfter] = [await child.usage(), await database?.micros()]
  const each = (from: number | null | undefined, to: number | null | undefined) =>
    from == null || to == null ? null : (to - from) / count
  return {
    count,
    cpu: (after.micros - before.micros) / count,
    main: each(before.mainMicros, after.mainMicros),
    database: each(databaseBefore, databaseAfter),
    perSecond: count / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}
