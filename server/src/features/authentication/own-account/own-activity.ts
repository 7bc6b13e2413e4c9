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
}

const newest = namedQuery<OwnEntry, { userId: UserId; limitedTo: TeamId | null; limit: number }>(
  'accounts.own_activity',
  `SELECT e.id, e.team_id AS "teamId", e.session_id AS "sessionId", e.action, e.result, e.country, e.created_at AS "createdAt",
     '{}'::jsonb AS metadata, e.ip_address AS "ipAddress", e.user_agent AS "userAgent", e.key_id AS "keyId", e.sealed_origin AS "sealedOrigin",
     NULL AS "subjectKeyId", NULL AS "sealedDetails"
   FROM audit_entries e WHERE e.user_id = :userId AND (:limitedTo::uuid IS NULL OR e.team_id = :limitedTo) AND (e.team_id IS NULL OR EXISTS (
     SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = e.team_id AND m.user_id = :userId AND ${isConfirmed('m', 'u')}))
   ORDER BY e.created_at DESC, e.id DESC LIMIT :limit`,
)

/**
 * Returns the newest `limit` audit entries of the caller, newest first: what was recorded about their own acts, in teams whose membership is
 * confirmed, because any other team could fill the list. Without target and metadata, which are data of the team or of other users.
 */
export async function readOwnActivity(
  { db, envelope }: { db: Database; envelope: Envelope },
  actor: SessionActor,
  limit: number,
) {
  const entries = await db.run(newest, { userId: actor.userId, limitedTo: teamLimitOf(actor), limit })
  const revealed = await revealEntries(db, envelope, entries)
  return revealed.map(({ id, teamId, sessionId, action, result, country, ipAddress, userAgent, createdAt }) => ({
    id,
    teamId,
    sessionId,
    action,
    result,
    country,
    ipAddress,
    userAgent,
    createdAt: createdAt.toISOString(),
  }))
}
