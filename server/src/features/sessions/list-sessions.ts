import Bowser from 'bowser'
import type { Clock } from '../../platform/clock.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionActor } from '../../platform/http/actor.js'
import { parseId, type SessionId, type TeamId, type UserId } from '../../platform/ids.js'
import { accessRefusal } from '../access/index.js'
import type { Audit } from '../audit/index.js'
import { countsElsewhere } from '../members/index.js'
import { endSessions } from './end-sessions.js'
import { refusal } from './errors.js'

export interface ListedSession {
  id: SessionId
  method: string
  ip_address: string | null
  user_agent: string | null
  created_at: Date
  last_seen_at: Date
  team_id: TeamId
  team_name: string
}

const liveSessions = namedQuery<ListedSession, [UserId, Date]>(
  'sessions.list',
  `SELECT s.id, s.method, s.ip_address, s.user_agent, s.created_at, s.last_seen_at, o.id AS team_id, o.name AS team_name
   FROM sessions s JOIN organizations o ON o.id = s.organization_id
   WHERE s.user_id = $1 AND s.kind = 'session' AND s.ended_at IS NULL AND s.expires_at > $2 ORDER BY s.last_seen_at DESC, s.id DESC LIMIT 500`,
)
const liveInTeam = namedQuery<ListedSession, [UserId, Date, TeamId]>(
  'sessions.list_in_team',
  `SELECT s.id, s.method, s.ip_address, s.user_agent, s.created_at, s.last_seen_at, o.id AS team_id, o.name AS team_name
   FROM sessions s JOIN organizations o ON o.id = s.organization_id
   WHERE s.user_id = $1 AND s.kind = 'session' AND s.ended_at IS NULL AND s.expires_at > $2 AND s.organization_id = $3
   ORDER BY s.last_seen_at DESC, s.id DESC LIMIT 500`,
)
const isOwn = namedQuery<{ id: SessionId }, [SessionId, UserId]>(
  'sessions.is_own',
  "SELECT id FROM sessions WHERE id = $1 AND user_id = $2 AND kind = 'session' AND ended_at IS NULL",
)

interface ListDeps {
  db: Database
  clock: Clock
  audit: Audit
}

/**
 * In a session that one team controls, what belongs to the user's account as a whole is out of reach while the user belongs to
 * another team too. A step. @throws team_sign_in_required
 */
export async function refuseWhileConfined(tx: Transaction, actor: SessionActor): Promise<void> {
  if (actor.confinedTo && (await countsElsewhere(tx, actor.userId, actor.confinedTo)))
    throw accessRefusal('team_sign_in_required')
}

/** The caller's living sessions, the one last seen first. */
export function listSessions({ db, clock }: ListDeps, actor: SessionActor): Promise<ListedSession[]> {
  return db.transaction(async (tx) => {
    await refuseWhileConfined(tx, actor)
    return tx.run(liveSessions, [actor.userId, clock.now()])
  })
}

/** A step: the living sessions in which the user has this team open, the one last seen first. */
export const sessionsInTeam = (
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  teamId: TeamId,
): Promise<ListedSession[]> => tx.run(liveInTeam, [userId, clock.now(), teamId])

/** Ends one session of the caller. @throws session_not_found for any id that is not one of theirs */
export async function endOwnSession(
  { db, clock, audit }: ListDeps,
  actor: SessionActor,
  sessionId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await refuseWhileConfined(tx, actor)
    const id = parseId<SessionId>(sessionId)
    if (!id || !(await tx.run(isOwn, [id, actor.userId]))[0]) throw refusal('session_not_found')
    await endSessions(tx, clock, { session: id }, 'ended_by_user')
    await audit.record(tx, actor, 'session.ended', { resource: `session:${id}` })
  })
}

/** Ends all sessions of the caller but this one; answers how many. */
export function endOtherSessions({ db, clock, audit }: ListDeps, actor: SessionActor): Promise<number> {
  return db.transaction(async (tx) => {
    await refuseWhileConfined(tx, actor)
    const ended = await endSessions(tx, clock, { user: actor.userId, except: actor.sessionId }, 'ended_by_user')
    await audit.record(tx, actor, 'session.others_ended', { resource: `user:${actor.userId}`, metadata: { ended } })
    return ended
  })
}

/** What a person recognizes a session by: "Firefox on Linux". */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  if (browser.name && os.name) return `${browser.name} on ${os.name}`
  return browser.name || userAgent.split(/[ /]/)[0] || 'Unknown device'
}
