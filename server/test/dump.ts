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

/** The rows of all tables in one statement: some files dump a thousand times, and each statement is a round trip. */
async function dumpRows(
  { sql }: Pick<TestService, 'sql'>,
  where: Record<string, string>,
  without: Record<string, string>,
): Promise<Dump> {
  const names = (await sql<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"))
    .map(({ name }) => name)
    .sort()
  const rows = await sql<{ name: string; row: string }>(
    names
      .map(
        (name) =>
          `SELECT '${name}' AS name, (to_jsonb(t) - '${without[name] ?? ''}')::text AS row FROM "${name}" t WHERE ${where[name] ?? 'true'}`,
      )
      .join(' UNION ALL '),
  )
  const dump: Dump = Object.fromEntries(names.map((name) => [name, []]))
  for (const { name, row } of rows) dump[name]?.push(row)
  for (const name of names) dump[name]?.sort()
  return dump
}
