import type { TestService } from './service.js'

/** Tables by name, each row as the text of its JSON (bytes as `\x` and hex). */
export type Dump = Record<string, string[]>

/** Everything that the database holds. */
export async function dumpDatabase({ sql }: Pick<TestService, 'sql'>): Promise<Dump> {
  const tables = await sql<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  )
  const dump: Dump = {}
  for (const { name } of tables) {
    const rows = await sql<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t ORDER BY 1`)
    dump[name] = rows.map(({ row }) => row)
  }
  return dump
}

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
  const all = await dumpDatabase(service)
  const {
    throttle_counters,
    audit_pending,
    audit_seals,
    audit_daily,
    audit_checkpoints,
    audit_checkpoint_heads,
    scim_requests,
    ...dump
  } = all
  const keep = (table: string, wanted: (row: Record<string, unknown>) => boolean) =>
    (dump[table] ?? []).filter((row) => wanted(JSON.parse(row)))
  return {
    ...dump,
    scim_tokens: (dump.scim_tokens ?? []).map((row) => JSON.stringify({ ...JSON.parse(row), last_used_at: null })),
    audit_entries: keep('audit_entries', ({ result }) => result === 'SUCCESS'),
    jobs: keep('jobs', ({ unique_name }) => unique_name === null),
  }
}
