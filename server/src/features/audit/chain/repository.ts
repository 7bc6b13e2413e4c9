import { namedQuery } from '../../../platform/db/named-query.js'
import { type ChainedEntry, type ChainHead, ENTRY_FORMAT, HASHED_MEMBERS, INSTANCE_CHAIN } from './chain.js'

const COLUMNS = HASHED_MEMBERS[ENTRY_FORMAT].map((member) => `e.${member}`).join(', ')

/** Locks the sealer, which runs on one node at a time. */
export const lockSealer = namedQuery<{ is_acquired: boolean }>(
  'audit.lock_sealer',
  'SELECT pg_try_advisory_xact_lock(7239003) AS is_acquired',
)

/** Returns pending entries, except those that the removal of a team has locked. */
export const pendingEntries = namedQuery<ChainedEntry & { chain: string }, [number]>(
  'audit.pending',
  `SELECT p.chain, ${COLUMNS} FROM audit_pending p JOIN audit_entries e ON e.id = p.entry_id
   ORDER BY p.chain, p.entry_id LIMIT $1 FOR UPDATE OF p SKIP LOCKED`,
)

/** Returns the head of the chain in the newest checkpoint that names it. */
export const lastHead = namedQuery<ChainHead & { checkpoint: number }, [string]>(
  'audit.last_head',
  `SELECT chain, seal::int AS seal, entries::int AS entries, encode(head, 'hex') AS head, checkpoint::int AS checkpoint
   FROM audit_checkpoint_heads WHERE chain = $1 ORDER BY seal DESC LIMIT 1`,
)

/** SQL: the number of entries up to the seal `s`, with those that retention removed. */
const ENTRIES_OF = `(SELECT coalesce((SELECT entries FROM audit_bases WHERE chain = s.chain), 0)
       + (SELECT coalesce(sum(cardinality(entry_ids)), 0) FROM audit_seals WHERE chain = s.chain AND number <= s.number))::int`

/** Returns the last seal of the chain after seal `$2`, which the last checkpoint names. A later seal predates the first checkpoint. */
export const lastSealAfter = namedQuery<ChainHead, [string, number]>(
  'audit.last_seal_after',
  `SELECT s.chain, s.number::int AS seal, encode(s.hashes[array_length(s.hashes, 1)], 'hex') AS head,
     ${ENTRIES_OF} AS entries
   FROM audit_seals s WHERE s.chain = $1 AND s.number > $2 ORDER BY s.number DESC LIMIT 1`,
)

/** Returns the head of every chain, for the first checkpoint. */
export const allHeads = namedQuery<ChainHead, []>(
  'audit.all_heads',
  `SELECT s.chain, s.number::int AS seal, encode(s.hashes[array_length(s.hashes, 1)], 'hex') AS head,
     ${ENTRIES_OF} AS entries
   FROM (SELECT chain, max(number) AS number FROM audit_seals GROUP BY chain) last
     JOIN audit_seals s ON s.chain = last.chain AND s.number = last.number`,
)

/** Returns the number and hash of the newest checkpoint. The number also considers heads whose checkpoint was deleted. */
export const lastCheckpoint = namedQuery<{ number: number; hash: Buffer | null }, []>(
  'audit.last_checkpoint',
  `SELECT greatest((SELECT max(number) FROM audit_checkpoints), (SELECT max(checkpoint) FROM audit_checkpoint_heads))::int AS number,
     (SELECT hash FROM audit_checkpoints ORDER BY number DESC LIMIT 1) AS hash`,
)

export const insertCheckpoint = namedQuery<
  never,
  { number: number; hash: Buffer; signature: Buffer; keyId: string; createdAt: Date }
>(
  'audit.insert_checkpoint',
  'INSERT INTO audit_checkpoints (number, hash, signature, key_id, created_at) VALUES (:number, :hash, :signature, :keyId, :createdAt)',
)

export const insertHeads = namedQuery<
  never,
  { checkpoint: number; chains: string[]; seals: number[]; entries: number[]; heads: Buffer[] }
>(
  'audit.insert_heads',
  `INSERT INTO audit_checkpoint_heads (checkpoint, chain, seal, entries, head)
   SELECT :checkpoint, * FROM unnest(:chains::uuid[], :seals::bigint[], :entries::bigint[], :heads::bytea[])`,
)

export const insertSeal = namedQuery<
  never,
  {
    chain: string
    number: number
    entryIds: string[]
    hashes: Buffer[]
    signature: Buffer
    keyId: string
    createdAt: Date
  }
>(
  'audit.insert_seal',
  `INSERT INTO audit_seals (chain, number, format, entry_ids, hashes, signature, key_id, created_at)
   VALUES (:chain, :number, ${ENTRY_FORMAT}, :entryIds::uuid[], :hashes::bytea[], :signature, :keyId, :createdAt)`,
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
  created_at: Date
  /** The hash in the checkpoint that names this seal; null if none does. */
  named_head: Buffer | null
}

const SEALS = `SELECT s.number::int AS number, s.entry_ids, s.hashes, s.signature, s.key_id, s.created_at, h.head AS named_head
   FROM audit_seals s LEFT JOIN audit_checkpoint_heads h ON h.chain = s.chain AND h.seal = s.number`

export const sealsAfter = namedQuery<SealRow, [string, number]>(
  'audit.seals_after',
  `${SEALS} WHERE s.chain = $1 AND s.number > $2 ORDER BY s.number LIMIT 20`,
)

/** Returns the seal of the chain that contains an entry. */
export const sealOfEntry = namedQuery<SealRow, [string, string]>(
  'audit.seal_of_entry',
  `${SEALS} WHERE s.chain = $1 AND $2::uuid = ANY(s.entry_ids) LIMIT 1`,
)

/** Returns the chain of an entry and whether the entry is not sealed yet. */
export const chainOfEntry = namedQuery<{ chain: string; is_pending: boolean }, [string]>(
  'audit.chain_of_entry',
  `SELECT coalesce(e.team_id, '${INSTANCE_CHAIN}') AS chain, p.entry_id IS NOT NULL AS is_pending
   FROM audit_entries e LEFT JOIN audit_pending p ON p.entry_id = e.id WHERE e.id = $1`,
)

/** Returns the newest pending entry of the chain. */
export const lastPending = namedQuery<{ id: string }, [string]>(
  'audit.last_pending',
  'SELECT entry_id AS id FROM audit_pending WHERE chain = $1 ORDER BY entry_id DESC LIMIT 1',
)

/** Returns a pending entry of the chain up to the entry `$2`. */
export const pendingUpTo = namedQuery<{ id: string }, [string, string]>(
  'audit.pending_up_to',
  'SELECT entry_id AS id FROM audit_pending WHERE chain = $1 AND entry_id <= $2 LIMIT 1',
)

/** Returns every chain with seals, checkpoints or pending entries, except those of deleted teams, whose heads remain. */
export const chainsInUse = namedQuery<{ chain: string }, []>(
  'audit.chains_in_use',
  `SELECT chain FROM (SELECT chain FROM audit_seals UNION SELECT chain FROM audit_checkpoint_heads UNION SELECT chain FROM audit_pending) known
   WHERE NOT EXISTS (SELECT 1 FROM audit_removals r WHERE r.chain = known.chain) ORDER BY chain`,
)

/** Where a chain begins after retention: the last removed seal, and its hash in the checkpoint that names it. */
export interface BaseRow {
  seal: number
  entries: number
  head: Buffer
  signature: Buffer
  key_id: string
  removed_at: Date
  /** Whether the entry that records the removal exists, or retention has removed it later. */
  is_recorded: boolean
  named_head: Buffer | null
}

/** Returns where the chain begins; no row if nothing was removed. */
export const baseOfChain = namedQuery<BaseRow, [string]>(
  'audit.base_of_chain',
  `SELECT b.seal::int AS seal, b.entries::int AS entries, b.head, b.signature, b.key_id, b.removed_at, h.head AS named_head,
     EXISTS (SELECT FROM audit_entries e WHERE e.id = b.record_id AND e.action = 'audit.entries_removed')
       OR EXISTS (SELECT FROM audit_bases i WHERE i.chain = '${INSTANCE_CHAIN}' AND i.chain <> b.chain AND i.removed_at > b.removed_at) AS is_recorded
   FROM audit_bases b LEFT JOIN audit_checkpoint_heads h ON h.chain = b.chain AND h.seal = b.seal AND h.entries = b.entries WHERE b.chain = $1`,
)

/** Returns the head of the chain at a seal, according to the seal; for a removed one, according to the checkpoint that names it. */
export const headOfSeal = namedQuery<{ head: string; entries: number; last: string | null }, [string, number]>(
  'audit.head_of_seal',
  `SELECT encode(hashes[array_length(hashes, 1)], 'hex') AS head, entry_ids[array_length(entry_ids, 1)] AS last,
     ${ENTRIES_OF} AS entries
   FROM audit_seals s WHERE s.chain = $1 AND s.number = $2
   UNION ALL SELECT encode(h.head, 'hex'), NULL, h.entries::int FROM audit_checkpoint_heads h JOIN audit_bases b ON b.chain = h.chain
   WHERE h.chain = $1 AND h.seal = $2 AND h.seal <= b.seal`,
)

export const entriesById = namedQuery<ChainedEntry, [string[]]>(
  'audit.entries_by_id',
  `SELECT ${COLUMNS} FROM audit_entries e WHERE e.id = ANY($1::uuid[])`,
)

/** Returns the first seal of the chain that a checkpoint names, or null, and whether there are checkpoints at all. */
export const firstNamed = namedQuery<{ seal: number | null; has_checkpoints: boolean }, [string]>(
  'audit.first_named',
  `SELECT (SELECT min(seal)::int FROM audit_checkpoint_heads WHERE chain = $1) AS seal,
     EXISTS (SELECT 1 FROM audit_checkpoints) OR EXISTS (SELECT 1 FROM audit_checkpoint_heads) AS has_checkpoints`,
)

export interface CheckpointRow {
  number: number
  hash: Buffer
  signature: Buffer
  key_id: string
  created_at: Date
  heads: [chain: string, seal: number, entries: number, head: string][]
}

/** Returns checkpoints from a number on, with their heads. */
export const checkpointsFrom = namedQuery<CheckpointRow, [number]>(
  'audit.checkpoints_from',
  `SELECT c.number::int AS number, c.hash, c.signature, c.key_id, c.created_at,
     (SELECT coalesce(jsonb_agg(jsonb_build_array(h.chain, h.seal, h.entries, encode(h.head, 'hex'))), '[]') FROM audit_checkpoint_heads h
      WHERE h.checkpoint = c.number) AS heads
   FROM audit_checkpoints c WHERE c.number >= $1 ORDER BY c.number LIMIT 200`,
)

export const checkpointByNumber = namedQuery<{ hash: Buffer }, [number]>(
  'audit.checkpoint_by_number',
  'SELECT hash FROM audit_checkpoints WHERE number = $1',
)

/** Returns the numbers of entries, pending entries, sealed entries and counted entries in one snapshot. */
export const chainCounts = namedQuery<
  { entries: number; pending: number; sealed: number; counted: number },
  [string | null, string]
>(
  'audit.chain_counts',
  `SELECT (SELECT count(*)::int FROM audit_entries WHERE team_id = $1)
       + (SELECT count(*)::int FROM audit_entries WHERE $1::uuid IS NULL AND team_id IS NULL) AS entries,
     (SELECT count(*)::int FROM audit_pending WHERE chain = $2) AS pending,
     (SELECT coalesce(sum(cardinality(entry_ids)), 0)::int FROM audit_seals WHERE chain = $2) AS sealed,
     (SELECT coalesce(sum(count), 0)::int FROM audit_daily WHERE chain = $2) AS counted`,
)

/** Returns a pending entry that no longer exists. */
export const lostEntry = namedQuery<{ id: string }, [string]>(
  'audit.lost_entry',
  `SELECT p.entry_id AS id FROM audit_pending p LEFT JOIN audit_entries e ON e.id = p.entry_id
   WHERE p.chain = $1 AND e.id IS NULL ORDER BY p.entry_id LIMIT 1`,
)

/** Returns an entry that is neither sealed nor pending, which only direct access to the database can have inserted. */
export const insertedEntry = namedQuery<{ id: string }, [string | null, string]>(
  'audit.inserted_entry',
  `SELECT e.id FROM audit_entries e
     LEFT JOIN audit_pending p ON p.entry_id = e.id
     LEFT JOIN (SELECT unnest(entry_ids) AS id FROM audit_seals WHERE chain = $2) s ON s.id = e.id
   WHERE (e.team_id = $1 OR ($1::uuid IS NULL AND e.team_id IS NULL)) AND p.entry_id IS NULL AND s.id IS NULL
   ORDER BY e.created_at, e.id LIMIT 1`,
)
