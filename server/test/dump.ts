import { expect } from 'vitest'
import type { TestService } from './service.js'

/** Tables by name, each row as the text of its JSON (bytes as `\x` and hex). */
export type Dump = Record<string, string[]>

/** Everything that the database holds. */
export const dumpDatabase = (service: Pick<TestService, 'sql'>): Promise<Dump> => dumpRows(service, {}, {})

/** What of a table is looked at, where that is not all of it. */
const STATE: Record<string, string> = {
  throttle_counters: 'false',
  audit_pending: 'false',
  audit_seals: 'false',
  audit_daily: 'false',
  audit_checkpoints: 'false',
  audit_checkpoint_heads: 'false',
  audit_entries: "result = 'SUCCESS'",
  jobs: 'unique_name IS NULL',
  scim_requests: 'false',
}

/** Columns that are no state either. */
const NO_STATE: Record<string, string> = { scim_tokens: 'last_used_at' }

/**
 * What users have put there: the dump without
 * - `throttle_counters`: a refused try is counted, that is its purpose;
 * - `audit_entries` of refusals (DENIED, FAILURE): a refused act is recorded;
 * - `audit_pending`, `audit_seals`, `audit_daily`, `audit_checkpoints`, `audit_checkpoint_heads`: the sealing job moves entries
 *   from one to the other, and counts them, when it likes;
 * - `scim_requests`, which are written behind the answer, and when a SCIM token was last used, to the minute;
 * - recurring jobs (those with a unique name): the workers note there when each ran last.
 * Jobs that are due are waited for: a mail that is on its way is no change of what follows.
 */
export async function dumpState(service: Pick<TestService, 'sql' | 'settle'>): Promise<Dump> {
  await service.settle()
  return dumpRows(service, STATE, NO_STATE)
}

export interface WatchedState {
  /** Fails if anything of `dumpState` changed since the watch began or the last call. */
  expectUnchanged(): Promise<void>
  /** The same, after every job that is due: for the end of the watch, as a job may write later than the answer. */
  expectUnchangedInTheEnd(): Promise<void>
}

/**
 * Watches what `dumpState` covers. The database is dumped again only if a transaction that wrote something ended since the last
 * dump: a test of refused requests then costs one short statement in place of two dumps.
 */
export async function watchState(service: Pick<TestService, 'sql' | 'settle'>): Promise<WatchedState> {
  async function look() {
    await service.settle()
    // The mark comes before the rows: what is written between the two makes the next call look again.
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

/** Differs as soon as another transaction that wrote something has ended: only those have a number of their own. */
async function writesSoFar({ sql }: Pick<TestService, 'sql'>): Promise<string> {
  const [row] = await sql<{ mark: string }>('SELECT pg_current_snapshot()::text AS mark')
  return row?.mark as string
}

/** The rows of a table as they were read last, and its version then. */
interface ReadTable {
  version: string
  rows: string[]
}

const lastRead = new WeakMap<object, Map<string, ReadTable>>()

/** Reads the tables that have changed since they were read last: some files dump a thousand times, and most tables stay as they are. */
async function dumpRows(
  service: Pick<TestService, 'sql'>,
  where: Record<string, string>,
  without: Record<string, string>,
): Promise<Dump> {
  const { sql } = service
  const found = await sql<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")
  const names = found.map(({ name }) => name).sort()
  const known = lastRead.get(service) ?? new Map<string, ReadTable>()
  lastRead.set(service, known)
  const keyOf = (name: string) => `${name} ${where[name]} ${without[name]}`
  const versions = await versionsOf(
    sql,
    names.filter((name) => where[name] !== 'false'),
  )
  const changed = [...versions].filter(([name, version]) => known.get(keyOf(name))?.version !== version)
  const rows = await rowsOf(
    sql,
    changed.map(([name]) => name),
    where,
    without,
  )
  for (const [name, version] of changed)
    known.set(keyOf(name), { version, rows: Object.freeze(rows.get(name)?.sort() ?? []) as string[] })
  return Object.fromEntries(names.map((name) => [name, known.get(keyOf(name))?.rows ?? []]))
}

/** How many rows each table has, and a sum over which transaction wrote each row, and where: it differs after any change. */
async function versionsOf(sql: TestService['sql'], names: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; version: string }>(
    names
      .map(
        (name) =>
          `SELECT '${name}' AS name, concat_ws(' ', count(*), sum(hashtextextended(concat_ws(' ', xmin, ctid), 0)::numeric)) AS version FROM "${name}"`,
      )
      .join(' UNION ALL '),
  )
  return new Map(rows.map(({ name, version }) => [name, version]))
}

/** The rows of these tables in one statement: each is a round trip. */
async function rowsOf(
  sql: TestService['sql'],
  names: string[],
  where: Record<string, string>,
  without: Record<string, string>,
): Promise<Map<string, string[]>> {
  const rows = names.map(
    (name) =>
      `SELECT '${name}' AS name, (to_jsonb(t) - '${without[name] ?? ''}')::text AS row FROM "${name}" t WHERE ${where[name] ?? 'true'}`,
  )
  const byName = new Map<string, string[]>(names.map((name) => [name, []]))
  if (rows.length > 0)
    for (const { name, row } of await sql<{ name: string; row: string }>(rows.join(' UNION ALL ')))
      byName.get(name)?.push(row)
  return byName
}
