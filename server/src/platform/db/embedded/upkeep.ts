import type { Engine } from './engine.js'

/** How many turns pass between two looks; a look costs some milliseconds. */
const TURNS_BETWEEN_LOOKS = 500
/** How much is written to the log before a checkpoint: bounds its size on disk and the time of a recovery. */
const CHECKPOINT_AFTER_BYTES = 16 * 1024 * 1024

/**
 * Does what PostgreSQL's background processes do elsewhere. PGlite has none: without this the write-ahead log grows
 * until the server stops, deleted rows are never cleaned up, and the planner works without statistics.
 *
 * The returned function is called between two turns of an idle session and does at most one piece of work, a
 * checkpoint or the vacuum of one table, so that the waiting client is held up shortly.
 */
export function createUpkeep(engine: Engine): () => Promise<void> {
  let turns = 0
  let due: string[] = []

  return async () => {
    const table = due.pop()
    if (table !== undefined) {
      await engine.run(`VACUUM (ANALYZE) ${table}`)
      return
    }
    turns += 1
    if (turns < TURNS_BETWEEN_LOOKS) return
    turns = 0
    const [log] = await engine.run<{ bytes: string | number }>(UNCHECKPOINTED_BYTES)
    if (Number(log?.bytes) > CHECKPOINT_AFTER_BYTES) await engine.run('CHECKPOINT')
    await engine.run('SELECT pg_stat_force_next_flush()')
    due = (await engine.run<{ name: string }>(CHANGED_TABLES)).map((row) => row.name)
  }
}

const UNCHECKPOINTED_BYTES = 'SELECT pg_current_wal_lsn() - redo_lsn AS bytes FROM pg_control_checkpoint()'

/** The rules of autovacuum with its default thresholds, except that analyzing alone is not worth a case of its own. */
const CHANGED_TABLES = `
  SELECT format('%I.%I', s.schemaname, s.relname) AS name
  FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE c.relpersistence = 'p'
    AND (s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
      OR s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0))`
