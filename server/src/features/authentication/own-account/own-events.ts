import { type Clock, DAY, fromNow } from '../../../platform/clock.js'
import type { Envelope } from '../../../platform/crypto/envelope.js'
import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { readSnapshot } from '../../../platform/db/read-one-state.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { type AuditEntryId, NO_TEAM, parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import {
  type AccountEvent,
  EVENTS_BY_OTHERS,
  EVENTS_BY_USER,
  isOneOf,
  revealEntries,
  type SealedEntry,
} from '../../audit/index.js'
import { isConfirmed, showsOwnProfile } from '../../members/index.js'
import { teamLimitOf } from '../../permissions/index.js'

/** Older events are not shown. */
export const EVENTS_KEPT = 90 * DAY

/** A security event of an account, without data of other users. */
export interface OwnEvent {
  id: AuditEntryId
  action: AccountEvent
  result: 'SUCCESS' | 'FAILURE' | 'DENIED'
  createdAt: Date
  teamId: TeamId | null
  /** Null if the user is not a member of the team. */
  teamName: string | null
  /** `team`: a member, a directory or a provider of the team. `operator`: the command line. */
  actor: 'user' | 'team' | 'operator'
  /** Null for an event of the team: it is the address of another user. */
  ipAddress: string | null
  userAgent: string | null
  method: string | null
  reason: string | null
  country: string | null
}

interface EventQuery {
  userId: UserId
  resource: string
  since: Date
  /** The team to which the session is limited. */
  limitedTo: TeamId | null
  /** The team that the request names. */
  wantedTeam: TeamId | null
  result: string | null
}

/** A code in the metadata of an event of the user. Never other text, which a third party could have chosen. */
const code = (name: string): string =>
  `CASE WHEN e.actor = 'user' AND e.metadata ->> '${name}' ~ '^[A-Za-z_]{1,50}$' THEN e.metadata ->> '${name}' END AS ${name}`

const WANTED = `e.created_at > :since AND (:limitedTo::uuid IS NULL OR e.team_id = :limitedTo) AND (:wantedTeam::uuid IS NULL OR e.team_id = :wantedTeam)
  AND (:result::text IS NULL OR e.result = :result)`

// Before the first verification, another person may have registered the email address: they see nothing of the teams that added it.
const REACHABLE = `(e.team_id IS NULL OR e.team_id = :limitedTo OR EXISTS (SELECT FROM users u WHERE u.id = :userId AND u.email_verified_at IS NOT NULL)
  OR EXISTS (SELECT FROM memberships m WHERE m.organization_id = e.team_id AND m.user_id = :userId AND m.counts))`
// An act of the user on another user is not an event of the user's own account.
const OF_ACCOUNT = `(e.resource IS NULL OR e.resource NOT LIKE 'user:%' OR e.resource = :resource)`
// A sign-in with a credential of a team that the user has not confirmed says nothing about the account, and the team could fill the list.
const NOT_OF_OTHERS = `(e.metadata ->> 'restricted' IS NULL OR e.team_id = :limitedTo OR EXISTS (
  SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = e.team_id AND m.user_id = :userId AND ${isConfirmed('m', 'u')}))`

// Three parts, each with the index of its actions. Acts of a team on the user are shown only while the membership is confirmed, or in a session
// that is limited to the team: any team can add any account and fill the list. The registrant of an unverified address sees no acts of the home team.
const EVENTS = `(
    SELECT e.*, 'user' AS actor FROM audit_entries e WHERE e.user_id = :userId AND ${isOneOf('e.action', EVENTS_BY_USER)} AND ${WANTED}
      AND ${REACHABLE} AND ${OF_ACCOUNT} AND ${NOT_OF_OTHERS}
    UNION ALL
    SELECT e.*, 'team' FROM audit_entries e JOIN memberships m ON m.organization_id = e.team_id AND m.user_id = :userId JOIN users u ON u.id = m.user_id
    WHERE e.resource = :resource AND ${isOneOf('e.action', EVENTS_BY_OTHERS)} AND e.user_id IS DISTINCT FROM :userId AND ${WANTED}
      AND (m.organization_id = :limitedTo OR ${showsOwnProfile('m', 'u')})
    UNION ALL
    SELECT e.*, 'operator' FROM audit_entries e
    WHERE e.resource = :resource AND ${isOneOf('e.action', EVENTS_BY_OTHERS)} AND e.user_id IS NULL AND e.team_id IS NULL AND ${WANTED}) e`

/** Where an act came from, unless that is data of another user: of who acted on the user, or of the owner of an unverified email address. */
const ownOrigin = (column: string): string =>
  `CASE WHEN e.actor = 'user' AND (e.session_id IS NOT NULL OR EXISTS (SELECT FROM users WHERE id = :userId AND email_verified_at IS NOT NULL)) THEN e.${column} END`

const page = namedQuery<OwnEvent & SealedEntry, EventQuery & { limit: number; offset: number }>(
  'accounts.own_events',
  `SELECT e.id, e.action, e.result, e.created_at AS "createdAt", e.team_id AS "teamId", e.actor,
     CASE WHEN member.user_id IS NOT NULL THEN o.name END AS "teamName",
     ${ownOrigin('ip_address')} AS "ipAddress", ${ownOrigin('user_agent')} AS "userAgent", ${ownOrigin('key_id')} AS "keyId",
     e.sealed_origin AS "sealedOrigin", NULL AS "subjectKeyId", NULL AS "sealedDetails",
     '{}'::jsonb AS metadata, ${['method', 'reason'].map(code).join(', ')}, ${ownOrigin('country')} AS country
   FROM (SELECT * FROM ${EVENTS} ORDER BY e.created_at DESC, e.id DESC LIMIT :limit OFFSET :offset) e
   LEFT JOIN organizations o ON o.id = e.team_id
   LEFT JOIN memberships member ON member.organization_id = o.id AND member.user_id = :userId
   ORDER BY e.created_at DESC, e.id DESC`,
)

const count = namedQuery<{ total: number }, EventQuery>(
  'accounts.count_own_events',
  `SELECT count(*)::int AS total FROM ${EVENTS}`,
)

/**
 * Returns a page of the caller's security events of the last 90 days, newest first: their own acts, attempts on their credentials, and acts of
 * teams on them. A session that is limited to a team reads only events of that team.
 */
export function readOwnEvents(
  { db, clock, envelope }: { db: Database; clock: Clock; envelope: Envelope },
  actor: SessionActor,
  wanted: { teamId?: string; result?: string },
  { page: number, limit }: { page: number; limit: number },
): Promise<{ events: OwnEvent[]; total: number }> {
  const query: EventQuery = {
    userId: actor.userId,
    resource: `user:${actor.userId}`,
    since: fromNow(clock, -EVENTS_KEPT),
    limitedTo: teamLimitOf(actor),
    wantedTeam: wanted.teamId === undefined ? null : (parseId<TeamId>(wanted.teamId) ?? NO_TEAM),
    result: wanted.result ?? null,
  }
  return readSnapshot(db, async (tx) => {
    const [row] = await tx.run(count, query)
    const stored = await tx.run(page, { ...query, limit, offset: (number - 1) * limit })
    return { events: await revealEntries(tx, envelope, stored), total: row?.total ?? 0 }
  })
}
