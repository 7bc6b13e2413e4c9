import { sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId, OriginId, SessionId, TeamId, UserId } from '../../platform/ids.js'
import { enqueueingEach, hasWaitingJobs } from '../../platform/jobs/jobs.js'
import { recordImpersonal } from '../audit/index.js'
import { isSetByMember, reachesRestricted } from '../members/index.js'
import type { TemporaryScope } from './temporary-by.js'

/** The end reasons of a grant whose tokens ended by OAuth alone: the client revoked them, or one was used twice. */
const ENDED_BY_OAUTH = ['revoked', 'refresh_reused', 'code_replayed'].map((reason) => `'${reason}'`).join(', ')

/**
 * SQL: whether a grant still signs its user in to the application. True for an active grant, and for one whose tokens ended by OAuth alone,
 * because the session at the application does not depend on them. False once the user withdrew the consent, lost the membership, or the
 * user or the team ended the grant: the application must not learn anything more of the session, and cannot end it.
 * @param g the alias of the grant's row of `sessions`
 */
export const isSignedInBy = (g: string): string =>
  `(${g}.ended_at IS NULL OR (${g}.end_reason IN (${ENDED_BY_OAUTH}) AND EXISTS (
    SELECT FROM consents gc JOIN applications ga ON ga.id = gc.application_id
      JOIN memberships gm ON gm.user_id = gc.user_id AND gm.organization_id = ga.organization_id
    WHERE gc.user_id = ${g}.user_id AND gc.application_id = ${g}.application_id AND gc.restricted = (${g}.confined_team_id IS NOT NULL)
      AND gc.withdrawn_at IS NULL AND gm.status = 'active' AND greatest(gm.created_at, gm.tokens_since) <= ${g}.created_at)))`

/**
 * The sessions to end. A grant without `offline_access` ends with its session automatically, because its tokens are verified together with
 * the session.
 */
export type WhichSessions =
  | { session: SessionId }
  | { sessions: SessionId[] }
  /** All of a user that their session reaches, except one; with `restrictedTo` only those with this restriction. */
  | { user: UserId; except?: SessionId; restrictedTo?: TeamId | null }
  /** All of a user, and all their grants. */
  | { user: UserId; grants: true }
  /** All unrestricted ones of a user except one, and every grant that was not given in it. */
  | { user: UserId; unrestrictedExcept: SessionId }
  /** Those of a user that a temporary password, a provider or a directory started. */
  | { user: UserId; temporary: TemporaryScope }
  /** Those of a user in the team or restricted to it, and all grants for its applications. */
  | { user: UserId; team: TeamId }
  /** Those of one restriction that have not verified a factor; with a restriction also unrestricted ones in that team. */
  | { user: UserId; withoutFactor: { restrictedTo: TeamId | null; except: SessionId } }

/** The job that notifies an application of the end of a session (OpenID Connect Back-Channel Logout). */
export const SESSION_ENDED_JOB = 'oidc.session_ended'

// Applications are notified by jobs of the same transaction, one for each session and issuer. If only the grant ends, the session has ended
// for the application too, and it is not notified of the later end of the session. The number of waiting jobs per team is limited, because
// applications may not respond; dropped notifications are returned and recorded.
const MAX_WAITING = 10_000
const notifyApplications = `
  notified AS (SELECT DISTINCT g.application_id, a.organization_id, g.issuer, g.parent_id AS id, e.user_id FROM ended e
    CROSS JOIN LATERAL (
      SELECT application_id, issuer, parent_id FROM sessions s WHERE parent_id = e.id AND kind = 'grant' AND ${isSignedInBy('s')}
      UNION ALL SELECT application_id, issuer, parent_id FROM sessions WHERE id = e.id AND kind = 'grant' AND parent_id IS NOT NULL) g
    JOIN applications a ON a.id = g.application_id AND a.backchannel_logout_uri IS NOT NULL),
  full_teams AS (SELECT organization_id FROM (SELECT DISTINCT organization_id FROM notified) t
    WHERE ${hasWaitingJobs(SESSION_ENDED_JOB, 't.organization_id', MAX_WAITING)}),
  notify_jobs AS (${enqueueingEach(
    SESSION_ENDED_JOB,
    {
      team: 'organization_id',
      payload: "jsonb_build_object('application', application_id, 'user', user_id, 'session', id, 'issuer', issuer)",
      now: ':now',
    },
    'FROM notified WHERE organization_id NOT IN (SELECT organization_id FROM full_teams)',
  )})
  SELECT kind, NULL::jsonb AS dropped FROM ended
  UNION ALL SELECT 'dropped', to_jsonb(notified) FROM notified WHERE organization_id IN (SELECT organization_id FROM full_teams)`

/** The reason, and when. */
interface End {
  now: Date
  why: string
}

/** A session that ended, or a notification that was dropped. */
interface Ended {
  kind: string
  dropped: { application_id: ApplicationId; organization_id: TeamId; id: SessionId; user_id: UserId } | null
}

const endOne = namedQuery<Ended, End & { id: SessionId }>(
  'sessions.end_one',
  `WITH ended AS (UPDATE sessions SET ended_at = :now, end_reason = :why WHERE id = :id AND ended_at IS NULL RETURNING id, user_id, kind),
     ${notifyApplications}`,
)
const endSeveral = namedQuery<Ended, End & { ids: SessionId[] }>(
  'sessions.end_several',
  `WITH ended AS (UPDATE sessions SET ended_at = :now, end_reason = :why
     WHERE id = ANY(:ids::uuid[]) AND ended_at IS NULL AND expires_at > :now RETURNING id, user_id, kind),
     ${notifyApplications}`,
)
// Ends pending sign-ins too, because the credential of their first step may be the reason why the sessions end.
const dropWaiting = (team: string) =>
  `UPDATE one_time_tokens SET used_at = :now WHERE user_id = :userId AND kind = 'mfa_challenge' AND used_at IS NULL ${team}`

// With grants, everything of the account ends; otherwise the sessions that the user's session reaches.
const ofUser = (team: string) =>
  `CASE WHEN :restrictedTo::uuid IS NOT NULL THEN ${team} IS NOT DISTINCT FROM :restrictedTo ELSE :withGrants OR ${reachesRestricted(':userId', team)} END`

const endAll = namedQuery<
  Ended,
  End & { userId: UserId; except: SessionId | null; withGrants: boolean; restrictedTo: TeamId | null }
>(
  'sessions.end_all',
  `WITH ended AS (UPDATE sessions SET ended_at = :now, end_reason = :why
     WHERE user_id = :userId AND ended_at IS NULL AND expires_at > :now AND id IS DISTINCT FROM :except AND (kind = 'session' OR :withGrants)
       AND ${ofUser('confined_team_id')} RETURNING id, user_id, kind),
     waiting AS (${dropWaiting(`AND ${ofUser('restricted_to_team_id')}`)}),
     ${notifyApplications}`,
)

const endUnrestricted = namedQuery<Ended, End & { userId: UserId; except: SessionId }>(
  'sessions.end_unrestricted',
  `WITH ended AS (UPDATE sessions SET ended_at = :now, end_reason = :why
     WHERE user_id = :userId AND ended_at IS NULL AND expires_at > :now AND confined_team_id IS NULL AND id <> :except
       AND (kind = 'session' OR parent_id IS DISTINCT FROM :except) RETURNING id, user_id, kind),
     waiting AS (${dropWaiting('AND restricted_to_team_id IS NULL')}),
     ${notifyApplications}`,
)

// `left_open`: sessions that have switched to another team must meet this team's policies again to return.
const endInTeam = namedQuery<Ended, End & { userId: UserId; teamId: TeamId }>(
  'sessions.end_in_team',
  `WITH ended AS (UPDATE sessions SET ended_at = :now, end_reason = :why
     WHERE user_id = :userId AND ended_at IS NULL AND expires_at > :now AND :teamId IN (organization_id, confined_team_id) RETURNING id, user_id, kind),
     waiting AS (${dropWaiting('AND organization_id = :teamId')}),
     left_open AS (UPDATE sessions SET admitted_team_ids = array_remove(admitted_team_ids, :teamId)
       WHERE user_id = :userId AND ended_at IS NULL AND :teamId = ANY(admitted_team_ids)
         AND organization_id <> :teamId AND confined_team_id IS DISTINCT FROM :teamId),
     ${notifyApplications}`,
)

const endTemporary = namedQuery<Ended, End & { userId: UserId; teamId: TeamId | null; origins: OriginId[] | null }>(
  'sessions.end_temporary',
  `WITH ended AS (UPDATE sessions SET ended_at = :now, end_reason = :why
     WHERE user_id = :userId AND ended_at IS NULL AND temporary_set_by IS NOT NULL AND (:teamId::uuid IS NULL OR confined_team_id = :teamId)
       AND CASE WHEN :origins::uuid[] IS NULL THEN ${isSetByMember('temporary_set_by')} ELSE temporary_set_by = ANY(:origins) END RETURNING id, user_id, kind),
     waiting AS (${dropWaiting('AND restricted_to_team_id IS NOT NULL AND (:teamId::uuid IS NULL OR restricted_to_team_id = :teamId)')}),
     ${notifyApplications}`,
)

const endWithoutFactor = namedQuery<Ended, End & { userId: UserId; except: SessionId; restrictedTo: TeamId | null }>(
  'sessions.end_without_factor',
  `WITH ended AS (UPDATE sessions SET ended_at = :now, end_reason = :why
     WHERE user_id = :userId AND ended_at IS NULL AND expires_at > :now AND id <> :except AND kind = 'session' AND NOT 'mfa' = ANY(amr)
       AND confined_team_id IS NOT DISTINCT FROM :restrictedTo::uuid RETURNING id, user_id, kind),
     left_open AS (UPDATE sessions SET admitted_team_ids = array_remove(admitted_team_ids, :restrictedTo)
       WHERE user_id = :userId AND ended_at IS NULL AND :restrictedTo = ANY(admitted_team_ids) AND organization_id <> :restrictedTo AND id <> :except),
     ${notifyApplications}`,
)

/** Ends sessions and everything that depends on them. Runs in the caller's transaction. @returns the number of ended sessions */
export async function endSessions(tx: Transaction, clock: Clock, which: WhichSessions, why: string): Promise<number> {
  const ended = await end(tx, clock.now(), which, why)
  await recordDropped(tx, clock, ended)
  return ended.filter(({ kind }) => kind === 'session').length
}

let droppedNotifications = 0

/** Returns the number of notifications that this process has dropped, for the metrics. */
export const countDroppedNotifications = (): number => droppedNotifications

/** Records each dropped notification in the log of the application's team, so that the team can end the session at the application. */
async function recordDropped(tx: Transaction, clock: Clock, ended: Ended[]): Promise<void> {
  const dropped = ended.flatMap((row) => row.dropped ?? [])
  if (dropped.length === 0) return
  const origin = { ip: null, userAgent: null, requestId: SESSION_ENDED_JOB }
  await recordImpersonal(
    tx,
    clock,
    dropped.map(({ application_id, organization_id, id, user_id }) => ({
      by: { userId: user_id, teamId: organization_id, origin },
      action: 'application.logout_dropped',
      details: {
        result: 'FAILURE',
        resource: `application:${application_id}`,
        metadata: { session: id, waiting: MAX_WAITING },
      },
    })),
  )
  tx.afterCommit(() => {
    droppedNotifications += dropped.length
  })
}

function end(tx: Transaction, now: Date, which: WhichSessions, why: string): Promise<Ended[]> {
  const at = { now, why }
  if ('session' in which) return tx.run(endOne, { ...at, id: which.session })
  if ('sessions' in which) return tx.run(endSeveral, { ...at, ids: which.sessions })
  const of = { ...at, userId: which.user }
  if ('temporary' in which) {
    const { teamId, origins } = which.temporary === 'anyone' ? { teamId: null, origins: null } : which.temporary
    return tx.run(endTemporary, { ...of, teamId, origins })
  }
  if ('team' in which) return tx.run(endInTeam, { ...of, teamId: which.team })
  if ('unrestrictedExcept' in which) return tx.run(endUnrestricted, { ...of, except: which.unrestrictedExcept })
  if ('withoutFactor' in which) return tx.run(endWithoutFactor, { ...of, ...which.withoutFactor })
  const except = 'except' in which ? (which.except ?? null) : null
  const restrictedTo = 'restrictedTo' in which ? (which.restrictedTo ?? null) : null
  return tx.run(endAll, { ...of, except, withGrants: 'grants' in which, restrictedTo })
}

const endGrantsOfUser = namedQuery<
  Ended,
  End & { userId: UserId; applicationId: ApplicationId; restrictedTo: TeamId | null }
>(
  'sessions.end_grants_of_user',
  `WITH ended AS (UPDATE sessions SET ended_at = :now, end_reason = :why
     WHERE user_id = :userId AND application_id = :applicationId AND kind = 'grant' AND ended_at IS NULL AND (:restrictedTo::uuid IS NULL OR confined_team_id = :restrictedTo)
     RETURNING id, user_id, kind),
     ${notifyApplications}`,
)

/**
 * Revokes all grants of a user for one application, or only those with the restriction, with all their tokens. Notifies the application now,
 * because it is not notified of the end of the user's sessions any longer. Runs in the caller's transaction.
 * @returns the number of revoked grants
 */
export async function revokeGrantsOf(
  tx: Transaction,
  clock: Clock,
  { user, application, restrictedTo }: { user: UserId; application: ApplicationId; restrictedTo: TeamId | null },
  why: string,
): Promise<number> {
  const ended = await tx.run(endGrantsOfUser, {
    now: clock.now(),
    why,
    userId: user,
    applicationId: application,
    restrictedTo,
  })
  await recordDropped(tx, clock, ended)
  return ended.filter(({ kind }) => kind === 'grant').length
}

/**
 * Locks a team and its sessions before the team is deleted. The deletion reaches memberships before sessions, but a sign-in locks its session
 * first, so both would wait for each other. The first lock waits for foreign keys: no session is added until the deletion. Runs in the
 * caller's transaction.
 */
export async function lockForDeletion(tx: Transaction, teamId: TeamId): Promise<void> {
  await tx.execute(sql`SELECT FROM organizations WHERE id = ${teamId} FOR UPDATE`)
  await tx.execute(sql`SELECT FROM sessions WHERE organization_id = ${teamId} ORDER BY id FOR UPDATE`)
}
