import type { Envelope } from '../../../platform/crypto/envelope.js'
import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { SessionId, TeamId, UserId } from '../../../platform/ids.js'
import { revealEntries, type SealedEntry } from '../../audit/index.js'
import { isConfirmed } from '../../members/index.js'
import { teamLimitOf } from '../../permissions/index.js'

interface OwnEntry extends SealedEntry {
  teamId: TeamId | null
  sessionId: SessionId | null
  action: string
  result: string
  country: string | null
  createdAt: Date
  actor: 'user' | 'other'
}

interface ActivityQuery {
  userId: UserId
  resource: string
  limitedTo: TeamId | null
  limit: number
}

/** Selects from the entries of the caller, or from those of others. Where the act came from is data of who acted. */
const selected = (actor: OwnEntry['actor']): string => {
  const origin = (column: string) => (actor === 'user' ? `e.${column}` : 'NULL')
  return `SELECT e.id, '${actor}' AS actor, e.team_id AS "teamId", ${origin('session_id::text')} AS "sessionId", e.action, e.result,
    ${origin('country')} AS country, e.created_at AS "createdAt", '{}'::jsonb AS metadata, ${origin('ip_address')} AS "ipAddress",
    ${origin('user_agent')} AS "userAgent", ${origin('key_id')}::uuid AS "keyId", ${origin('sealed_origin')}::bytea AS "sealedOrigin",
    k.id AS "subjectKeyId", CASE WHEN k.id IS NOT NULL THEN e.sealed_details END AS "sealedDetails"`
}

// The details of an entry that the key of the user encrypts are about the user, also in acts of others.
const KEY = `LEFT JOIN audit_keys k ON k.id = e.subject_key_id AND k.user_id = :userId`
const NEWEST = `ORDER BY e.created_at DESC, e.id DESC LIMIT :limit`

const newest = namedQuery<OwnEntry, ActivityQuery>(
  'accounts.own_activity',
  `WITH confirmed AS (
     SELECT m.organization_id AS id FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.user_id = :userId AND ${isConfirmed('m', 'u')} AND (:limitedTo::uuid IS NULL OR m.organization_id = :limitedTo))
   SELECT * FROM (
     (${selected('user')} FROM audit_entries e ${KEY}
      WHERE e.user_id = :userId AND (e.team_id IN (SELECT id FROM confirmed) OR (e.team_id IS NULL AND :limitedTo::uuid IS NULL)) ${NEWEST})
     UNION ALL
     (${selected('other')} FROM confirmed c JOIN audit_entries e ON e.team_id = c.id AND e.resource = :resource ${KEY}
      WHERE e.user_id IS DISTINCT FROM :userId ${NEWEST})) e
   ORDER BY "createdAt" DESC, id DESC LIMIT :limit`,
)

/**
 * Returns the newest `limit` audit entries of the caller's own acts and of acts of others on the caller, newest first, in teams whose
 * membership is confirmed, because any other team could fill the list. Without the targets of own acts and without who acted, which are
 * data of other users; `details` are the personal data of the caller in the entry.
 */
export async function readOwnActivity(
  { db, envelope }: { db: Database; envelope: Envelope },
  actor: SessionActor,
  limit: number,
) {
  const { userId } = actor
  const entries = await db.run(newest, { userId, resource: `user:${userId}`, limitedTo: teamLimitOf(actor), limit })
  const revealed = await revealEntries(db, envelope, entries)
  return revealed.map(({ isErased: _, metadata, createdAt, ...entry }) => ({
    ...entry,
    details: metadata,
    createdAt: createdAt.toISOString(),
  }))
}
