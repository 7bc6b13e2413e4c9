import type { Engine } from './engine.js'

/** Requests between two checks; a check takes several milliseconds. */
const REQUESTS_BETWEEN_CHECKS = 500
/** Bytes in the write-ahead log before a checkpoint: bounds its size on disk and the recovery time. */
const CHECKPOINT_AFTER_BYTES = 16 * 1024 * 1024

/**
 * Replaces PostgreSQL's background processes, which PGlite does not have: otherwise the write-ahead log would grow until the server
 * stops, deleted rows would never be vacuumed, and the planner would have no statistics.
 *
 * The returned function is called between two requests of an idle session and does at most one task, a checkpoint or the vacuum of
 * one table, so that it delays the client only briefly.
 */
export function createUpkeep(engine: Engine): () => Promise<void> {
  let requests = 0
  let due: string[] = []

  return async () => {
    const table = due.pop()
    if (table !== undefined) {
      await engine.run(`VACUUM (ANALYZE) ${table}`).catch(ignoreMissingTable)
      return
    }
    requests += 1
    if (requests < REQUESTS_BETWEEN_CHECKS) return
    requests = 0
    const [log] = await engine.run<{ bytes: string | number }>(UNCHECKPOINTED_BYTES)
    if (Number(log?.bytes) > CHECKPOINT_AFTER_BYTES) await engine.run('CHECKPOINT')
    await engine.run('SELECT pg_stat_force_next_flush()')
    due = (await engine.run<{ name: string }>(CHANGED_TABLES)).map((row) => row.name)
  }
}

/** A migration can drop or rename a table between the check and its vacuum. */
function ignoreMissingTable(error: unknown): void {
  if ((error as { code?: unknown } | undefined)?.code !== UNDEFINED_TABLE) throw error
}

const UNDEFINED_TABLE = '42P01'

const UNCHECKPOINTED_BYTES = 'SELECT pg_current_wal_lsn() - redo_lsn AS bytes FROM pg_control_checkpoint()'

/** The rules of autovacuum with its default thresholds, without a separate ANALYZE. */
const CHANGED_TABLES = `
  SELECT format('%I.%I', s.schemaname, s.relname) AS name
  FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE c.relpersistence = 'p'
    AND (s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
      OR s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0))`
