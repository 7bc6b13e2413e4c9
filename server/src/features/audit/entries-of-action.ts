import type { Envelope } from '../../platform/crypto/envelope.js'
import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { AuditEntryId, TeamId } from '../../platform/ids.js'
import type { AuditAction } from './actions.js'
import { revealEntries, type SealedEntry } from './personal-data/reveal-entries.js'

/** An entry of the requested action, with the personal data that was not erased. */
export interface PastEntry {
  id: AuditEntryId
  metadata: Record<string, unknown>
  createdAt: Date
}

const entriesBefore = namedQuery<
  PastEntry & SealedEntry,
  {
    teamId: TeamId
    action: AuditAction
    since: Date
    lastCreatedAt: Date | null
    lastId: AuditEntryId | null
    limit: number
  }
>(
  'audit.past_entries',
  `SELECT id, metadata, created_at AS "createdAt", ip_address AS "ipAddress", user_agent AS "userAgent", key_id AS "keyId",
     sealed_origin AS "sealedOrigin", subject_key_id AS "subjectKeyId", sealed_details AS "sealedDetails" FROM audit_entries
   WHERE team_id = :teamId AND action = :action AND created_at >= :since
     AND (:lastCreatedAt::timestamptz IS NULL OR (created_at, id) < (:lastCreatedAt::timestamptz, :lastId::uuid))
   ORDER BY created_at DESC, id DESC LIMIT :limit`,
)

/**
 * Returns up to `limit` entries of one action in a team's log since a timestamp, newest first.
 * @param last the last entry of the previous page
 */
export async function entriesOfAction(
  { db, envelope }: { db: Runner; envelope: Envelope },
  teamId: TeamId,
  action: AuditAction,
  since: Date,
  limit: number,
  last?: PastEntry,
): Promise<PastEntry[]> {
  const entries = await db.run(entriesBefore, {
    teamId,
    action,
    since,
    lastCreatedAt: last?.createdAt ?? null,
    lastId: last?.id ?? null,
    limit,
  })
  return revealEntries(db, envelope, entries)
}
