import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId } from '../../platform/ids.js'
import type { ChainedEntry } from './chain.js'

const COLUMNS =
  'e.id, e.team_id, e.user_id, e.agent_id, e.action, e.resource, e.result, e.metadata, e.risk_score, e.ip_address, e.user_agent, e.request_id, e.created_at'

/** Of several nodes one seals at a time. */
export const takeSealerTurn = namedQuery<{ taken: boolean }>(
  'audit.sealer_turn',
  'SELECT pg_try_advisory_xact_lock(7239003) AS taken',
)

export const pendingEntries = namedQuery<ChainedEntry & { chain: string }, [number]>(
  'audit.pending',
  `SELECT p.chain, ${COLUMNS} FROM audit_pending p JOIN audit_entries e ON e.id = p.entry_id
   ORDER BY p.chain, p.entry_id LIMIT $1`,
)

export const lastSeal = namedQuery<{ number: number; head: Buffer }, [string]>(
  'audit.last_seal',
  `SELECT number::int AS number, hashes[array_length(hashes, 1)] AS head FROM audit_seals
   WHERE chain = $1 ORDER BY number DESC LIMIT 1`,
)

export const insertSeal = namedQuery<never, [string, number, string[], Buffer[], Buffer, string, Date]>(
  'audit.insert_seal',
  `INSERT INTO audit_seals (chain, number, entry_ids, hashes, signature, key_id, created_at)
   VALUES ($1, $2, $3::uuid[], $4::bytea[], $5, $6, $7)`,
)

export const deletePending = namedQuery<never, [string[]]>(
  'audit.delete_pending',
  'DELETE FROM audit_pending WHERE entry_id = ANY($1::uuid[])',
)

export interface SealRow {
  number: number
  entry_ids: string[]
  hashes: Buffer[]
  signature: Buffer
  key_id: string
}

export const sealsAfter = namedQuery<SealRow, [string, number]>(
  'audit.seals_after',
  'SELECT number::int AS number, entry_ids, hashes, signature, key_id FROM audit_seals WHERE chain = $1 AND number > $2 ORDER BY number LIMIT 20',
)

export const entriesById = namedQuery<ChainedEntry, [string[]]>(
  'audit.entries_by_id',
  `SELECT ${COLUMNS} FROM audit_entries e WHERE e.id = ANY($1::uuid[])`,
)

/** Entries, those that wait for a seal, and those under one, as of one moment. */
export const chainCounts = namedQuery<{ entries: number; pending: number; sealed: number }, [TeamId]>(
  'audit.chain_counts',
  `SELECT (SELECT count(*)::int FROM audit_entries WHERE team_id = $1) AS entries,
     (SELECT count(*)::int FROM audit_pending WHERE chain = $1) AS pending,
     (SELECT coalesce(sum(cardinality(entry_ids)), 0)::int FROM audit_seals WHERE chain = $1) AS sealed`,
)

/** An entry that waits for its seal and is no longer there. */
export const lostEntry = namedQuery<{ id: string }, [string]>(
  'audit.lost_entry',
  `SELECT p.entry_id AS id FROM audit_pending p LEFT JOIN audit_entries e ON e.id = p.entry_id
   WHERE p.chain = $1 AND e.id IS NULL ORDER BY p.entry_id LIMIT 1`,
)

/** Entries that stand under no seal and wait for none: nobody but somebody at the database can have made them. */
export const strangeEntry = namedQuery<{ id: string }, [TeamId]>(
  'audit.strange_entry',
  `SELECT e.id FROM audit_entries e
     LEFT JOIN audit_pending p ON p.entry_id = e.id
     LEFT JOIN (SELECT unnest(entry_ids) AS id FROM audit_seals WHERE chain = $1) s ON s.id = e.id
   WHERE e.team_id = $1 AND p.entry_id IS NULL AND s.id IS NULL ORDER BY e.created_at, e.id LIMIT 1`,
)

export type LogFilter = [
  teamId: TeamId,
  userId: string | null,
  action: string | null,
  result: string | null,
  from: Date | null,
  to: Date | null,
]

const MATCHING = `e.team_id = $1 AND ($2::uuid IS NULL OR e.user_id = $2) AND ($3::text IS NULL OR e.action = $3)
  AND ($4::text IS NULL OR e.result = $4) AND ($5::timestamptz IS NULL OR e.created_at >= $5) AND ($6::timestamptz IS NULL OR e.created_at <= $6)`

export const matchingEntries = namedQuery<ChainedEntry, [...LogFilter, number, number]>(
  'audit.logs',
  `SELECT ${COLUMNS} FROM audit_entries e WHERE ${MATCHING} ORDER BY e.created_at DESC, e.id DESC LIMIT $7 OFFSET $8`,
)

export const matchingCount = namedQuery<{ count: number }, LogFilter>(
  'audit.logs_count',
  `SELECT count(*)::int AS count FROM audit_entries e WHERE ${MATCHING}`,
)

export const countsSince = namedQuery<{ action: string; result: string; count: number }, [TeamId, Date]>(
  'audit.stats',
  'SELECT action, result, count(*)::int AS count FROM audit_entries WHERE team_id = $1 AND created_at >= $2 GROUP BY action, result',
)
