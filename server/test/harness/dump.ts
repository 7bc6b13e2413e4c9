import { expect } from 'vitest'
import type { TestService } from './service.js'

/** Tables by name, each row as a JSON string (bytes as `\x` and hex). */
export type Dump = Record<string, string[]>

/** Reads the whole database. */
export const dumpDatabase = (service: Pick<TestService, 'sql'>): Promise<Dump> => dumpRows(service, {}, {})

/** Conditions for tables of which only some rows are compared. */
const STATE: Record<string, string> = {
  throttle_counters: 'false',
  audit_pending: 'false',
  audit_seals: 'false',
  audit_daily: 'false',
  audit_checkpoints: 'false',
  audit_checkpoint_heads: 'false',
  audit_entries: "result = 'SUCCESS'",
  audit_keys: 'erased_at IS NOT NULL',
  jobs: 'unique_name IS NULL',
  scim_requests: 'false',
}

/** Columns that are not compared. */
const NO_STATE: Record<string, string> = { api_tokens: 'last_used_at', scim_tokens: 'last_used_at' }

/**
 * Reads the state that users have created. It waits for due jobs, so that a pending mail is not a later change. Left out are
 * - `throttle_counters`, which count rejected attempts;
 * - `audit_entries` with the result DENIED or FAILURE, which record rejected requests, and the `audit_keys` of their persons;
 * - `audit_pending`, `audit_seals`, `audit_daily`, `audit_checkpoints` and `audit_checkpoint_heads`, which the sealing job changes at
 *   any time;
 * - `scim_requests`, which are written after the response, and the last use of a token;
 * - recurring jobs (those with a unique name), where workers store the last run.
 */
export async function dumpState(service: Pick<TestService, 'sql' | 'settle'>): Promise<Dump> {
  await service.settle()
  return dumpRows(service, STATE, NO_STATE)
}

export interface WatchedState {
  /** Fails if the result of `dumpState` has changed since the beginning or the last call. */
  expectUnchanged(): Promise<void>
  /** The same after all due jobs, for the end of a test: a job may write after the response. */
  expectUnchangedInTheEnd(): Promise<void>
}

/**
 * Watches the state that `dumpState` reads. It reads the database again only if a transaction has written since the last dump, so that a
 * test of rejected requests needs one short statement instead of two dumps.
 */
export async function watchState(service: Pick<TestService, 'sql' | 'settle'>): Promise<WatchedState> {
  async function look() {
    await service.settle()
    // The marker is read before the rows, so that a write between the two makes the next call read again.
    return { mark: await writesSoFar(service), rows: await dumpRows(service, STATE, NO_STATE) }
  }
  let last = await look()
  async function compare() {
    const { rows } = last
    last = await look()
    expect(last.rows).toEqual(rows)
  }
  return {
    async expectUnchanged() {
      if ((await writesSoFar(service)) !== last.mark) await compare()
    },
    expectUnchangedInTheEnd: compare,
  }
}

/** Returns a marker that changes when a transaction with writes commits, because only those have a transaction ID. */
async function writesSoFar({ sql }: Pick<TestService, 'sql'>): Promise<string> {
  const [row] = await sql<{ mark: string }>('SELECT pg_current_snapshot()::text AS mark')
  return row?.mark as string
}

/** The rows of a table at the last read, and its version then. */
interface ReadTable {
  version: string
  oldest: string
  /** The JSON of each row, by the transaction and the location of its version. */
  byKey: Map<string, string>
  /** The same, sorted. */
  rows: string[]
}

/** Options of the statements that every dump sends. */
const PREPARED = { prepared: true }

const lastRead = new WeakMap<object, Map<string, ReadTable>>()

/** Reads only the rows that were written since the last read, because some files dump a thousand times. */
async function dumpRows(
  service: Pick<TestService, 'sql'>,
  where: Record<string, string>,
  without: Record<string, string>,
): Promise<Dump> {
  const { sql } = service
  const found = await sql<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    [],
    PREPARED,
  )
  const names = found.map(({ name }) => name).sort()
  const known = lastRead.get(service) ?? new Map<string, ReadTable>()
  lastRead.set(service, known)
  const keyOf = (name: string) => `${name} ${where[name]} ${without[name]}`
  const { oldest, versions } = await versionsOf(
    sql,
    names.filter((name) => where[name] !== 'false'),
  )
  for (const [name, version] of versions) {
    const key = keyOf(name)
    const last = known.get(key)
    if (last?.version === version) continue
    const byKey = await rowsOf(sql, name, where[name] ?? 'true', without[name] ?? '', last)
    known.set(key, { version, oldest, byKey, rows: Object.freeze([...byKey.values()].sort()) as string[] })
  }
  return Object.fromEntries(names.map((name) => [name, known.get(keyOf(name))?.rows ?? []]))
}

/**
 * Returns a marker of each table that changes with any write: the number of rows, and the newest and the sum of their transactions. `oldest` is
 * the oldest transaction whose rows a later read can find for the first time.
 */
async function versionsOf(
  sql: TestService['sql'],
  names: string[],
): Promise<{ oldest: string; versions: Map<string, string> }> {
  const rows = await sql<{ name: string; version: string }>(
    [
      "SELECT '' AS name, pg_snapshot_xmin(pg_current_snapshot())::text AS version",
      ...names.map(
        (name) =>
          `SELECT '${name}', concat_ws(' ', count(*), max(x), sum(x)) FROM (SELECT xmin::text::bigint AS x FROM "${name}") t`,
      ),
    ].join(' UNION ALL '),
    [],
    PREPARED,
  )
  const [first, ...tables] = rows
  return { oldest: first?.version as string, versions: new Map(tables.map(({ name, version }) => [name, version])) }
}

/** Reads the rows of a table. The version of a row never changes, so those of the last read are not read again. */
async function rowsOf(
  sql: TestService['sql'],
  name: string,
  where: string,
  without: string,
  last: ReadTable | undefined,
): Promise<Map<string, string>> {
  const [read] = await sql<{ keys: string | null; added: Record<string, string> | null }>(
    `SELECT string_agg(xmin::text || ctid::text, ' ') AS keys,
       json_object_agg(xmin::text || ctid::text, (to_jsonb(t) - '${without}')::text) FILTER (WHERE xmin::text::bigint >= $1) AS added
     FROM "${name}" t WHERE ${where}`,
    [last?.oldest ?? 0],
    PREPARED,
  )
  const added = read?.added ?? {}
  const keys = read?.keys?.split(' ') ?? []
  return new Map(keys.map((key) => [key, added[key] ?? (last?.byKey.get(key) as string)]))
}
