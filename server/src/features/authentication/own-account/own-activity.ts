import type { Envelope } from '../../../platform/crypto/envelope.js'
import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { SessionId, TeamId, UserId } from '../../../platform/ids.js'
import { revealEntries, type SealedEntry } from '../../audit/index.js'
import { showsOwnProfile } from '../../members/index.js'
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

// An unverified email address may belong to another person: then a team sees no account of the registrant, and an entry without a session is of
// anyone who entered the address.
const newest = namedQuery<OwnEntry, ActivityQuery>(
  'accounts.own_activity',
  `WITH own AS (SELECT * FROM users WHERE id = :userId), visible AS (
     SELECT m.organization_id AS id FROM memberships m JOIN own u ON u.id = m.user_id
     WHERE ${showsOwnProfile('m', 'u')} AND (:limitedTo::uuid IS NULL OR m.organization_id = :limitedTo))
   SELECT * FROM (
     (${selected('user')} FROM audit_entries e ${KEY}
      WHERE e.user_id = :userId AND (e.team_id IN (SELECT id FROM visible) OR (e.team_id IS NULL AND :limitedTo::uuid IS NULL))
        AND (e.session_id IS NOT NULL OR (SELECT email_verified_at FROM own) IS NOT NULL) ${NEWEST})
     UNION ALL
     (${selected('other')} FROM visible v JOIN audit_entries e ON e.team_id = v.id AND e.resource = :resource ${KEY}
      WHERE e.user_id IS DISTINCT FROM :userId ${NEWEST})
     UNION ALL
     (${selected('other')} FROM audit_entries e ${KEY}
      WHERE e.team_id IS NULL AND e.resource = :resource AND e.user_id IS DISTINCT FROM :userId AND :limitedTo::uuid IS NULL
        AND (SELECT email_verified_at FROM own) IS NOT NULL ${NEWEST})) e
   ORDER BY "createdAt" DESC, id DESC`,
)

/**
 * Returns the caller's audit entries, newest first: the newest `limit` of the caller's own acts, of acts of others on the caller in teams,
 * and of acts in the log of the instance. Only those of teams that see the account (`showsOwnProfile`), because any other team could fill the
 * list. Without the targets of own acts and without who acted, which are data of other users; `details` are the personal data of the caller
 * in the entry.
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
