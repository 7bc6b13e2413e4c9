import type { Child } from './child.js'
import type { BenchDatabase } from './database.js'
import { type Exchange, forSeconds, type LoadResult, runLoad } from './http-load.js'

/** One batch of one subject. Processor times are µs a request. */
export interface Sample {
  /** Requests that were answered. */
  count: number
  /** The measured process, all threads: the main figure. */
  cpu: number
  /** Of that its main thread. */
  main: number | null
  /** The database's connections on the PostgreSQL server, where it runs on this machine. */
  database: number | null
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

export interface Load {
  child: Child
  database?: BenchDatabase | undefined
  connections: number
  /** Answers undefined when there are no more: the batch ends early then. */
  next: () => Exchange | undefined
  /** Makes what a batch of so many seconds will use up; not counted. */
  prepare?: (seconds: number) => Promise<void>
  /** So many requests at least come before the figures, however slow the machine is just now. */
  warmUp?: number
  /** Called before the processor time is read, so that work which requests leave behind is counted with them. */
  settle?: () => Promise<void>
}

const percentile = (sorted: number[], share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0

/** Loads the child for some seconds and divides what it used by the requests it answered. */
export async function measureLoad(load: Load, seconds: number): Promise<Sample> {
  const { child, connections, next, prepare } = load
  await prepare?.(seconds)
  return measure(load, () => runLoad(child.port, connections, forSeconds(seconds, next)))
}

/** The same for work that the child does by itself. */
export async function measure(
  { child, database, settle }: Pick<Load, 'child' | 'database' | 'settle'>,
  work: () => Promise<LoadResult>,
): Promise<Sample> {
  const [before, databaseBefore] = [await child.usage(), await database?.micros()]
  const { count, seconds, latencies } = await work()
  await settle?.()
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
