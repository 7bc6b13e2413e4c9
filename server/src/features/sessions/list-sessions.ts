import Bowser from 'bowser'
import type { Clock } from '../../platform/clock.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionActor } from '../../platform/http/actor.js'
import { parseId, type SessionId, type TeamId, type UserId } from '../../platform/ids.js'
import type { Audit } from '../audit/index.js'
import { reachesRestricted } from '../members/index.js'
import { permissionError } from '../permissions/index.js'
import { lockUser } from '../users/index.js'
import { isActiveSession, sessionEnd } from './absolute-end.js'
import { endSessions } from './end-sessions.js'
import { rejection } from './errors.js'

export interface ListedSession {
  id: SessionId
  method: string
  ip_address: string | null
  user_agent: string | null
  created_at: Date
  last_seen_at: Date
  ends_at: Date
  team_id: TeamId
  team_name: string
}

const REACHED = `CASE WHEN $3::uuid IS NULL THEN ${reachesRestricted('s.user_id', 's.confined_team_id')} ELSE s.confined_team_id = $3 END`

const liveSessions = namedQuery<ListedSession, [UserId, Date, TeamId | null]>(
  'sessions.list',
  `SELECT s.id, s.method, s.ip_address, s.user_agent, s.created_at, s.last_seen_at, ${sessionEnd('s')} AS ends_at, o.id AS team_id, o.name AS team_name
   FROM sessions s JOIN organizations o ON o.id = s.organization_id
   WHERE s.user_id = $1 AND s.kind = 'session' AND ${isActiveSession('s', '$2')}
     AND ${REACHED} AND s.epoch = (SELECT epoch FROM users WHERE id = $1)
   ORDER BY s.confined_team_id IS NOT NULL, s.last_seen_at DESC, s.id DESC LIMIT 500`,
)
const liveInTeam = namedQuery<ListedSession, [UserId, Date, TeamId]>(
  'sessions.list_in_team',
  `SELECT s.id, s.method, s.ip_address, s.user_agent, s.created_at, s.last_seen_at, ${sessionEnd('s')} AS ends_at, o.id AS team_id, o.name AS team_name
   FROM sessions s JOIN organizations o ON o.id = s.organization_id
   WHERE s.user_id = $1 AND s.kind = 'session' AND ${isActiveSession('s', '$2')} AND s.organization_id = $3
     AND s.epoch = (SELECT epoch FROM users WHERE id = $1)
   ORDER BY s.last_seen_at DESC, s.id DESC LIMIT 500`,
)
const isOwn = namedQuery<{ id: SessionId }, [SessionId, UserId, TeamId | null]>(
  'sessions.is_own',
  `SELECT id FROM sessions s WHERE id = $1 AND user_id = $2 AND kind = 'session' AND ended_at IS NULL
     AND ${REACHED}`,
)

interface ListDeps {
  db: Database
  clock: Clock
  audit: Audit
}

/**
 * Rejects a restricted session, which must not access unrestricted objects or those of another restriction.
 * @throws team_sign_in_required
 */
export function requireUnrestricted({ restrictedToTeam }: Pick<SessionActor, 'restrictedToTeam'>): void {
  if (restrictedToTeam) throw permissionError('team_sign_in_required')
}

/**
 * Returns the caller's active sessions: unrestricted ones first, then by last use. A restricted session lists only those with the same
 * restriction.
 */
export const listSessions = ({ db, clock }: ListDeps, actor: SessionActor): Promise<ListedSession[]> =>
  db.run(liveSessions, [actor.userId, clock.now(), actor.restrictedToTeam])

/** Returns the active sessions of the user in this team, by last use. Runs in the caller's transaction. */
export const sessionsInTeam = (
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  teamId: TeamId,
): Promise<ListedSession[]> => tx.run(liveInTeam, [userId, clock.now(), teamId])

/** Ends one session of the caller. @throws session_not_found for an ID that is not one of theirs */
export async function endOwnSession(
  { db, clock, audit }: ListDeps,
  actor: SessionActor,
  sessionId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUser(tx, actor.userId)
    const id = parseId<SessionId>(sessionId)
    if (!id || !(await tx.run(isOwn, [id, actor.userId, actor.restrictedToTeam]))[0])
      throw rejection('session_not_found')
    await endSessions(tx, clock, { session: id }, 'ended_by_user')
    await audit.record(tx, actor, 'session.ended', { resource: `session:${id}` })
  })
}

/** Ends the caller's other sessions; from a restricted session only those with the same restriction. @returns the number of ended sessions */
export function endOtherSessions({ db, clock, audit }: ListDeps, actor: SessionActor): Promise<number> {
  return db.transaction(async (tx) => {
    await lockUser(tx, actor.userId)
    const which = { user: actor.userId, except: actor.sessionId, restrictedTo: actor.restrictedToTeam }
    const ended = await endSessions(tx, clock, which, 'ended_by_user')
    await audit.record(tx, actor, 'session.others_ended', { resource: `user:${actor.userId}`, metadata: { ended } })
    return ended
  })
}

/** Returns a display name of a session's device, such as "Firefox on Linux". */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  if (browser.name && os.name) return `${browser.name} on ${os.name}`
  return browser.name || userAgent.split(/[ /]/)[0] || 'Unknown device'
}
