import type { RequestOrigin, SessionActor } from '../../../platform/http/actor.js'
import type { ApplicationId, SessionId } from '../../../platform/ids.js'
import { endSessions, sessionOfRefreshToken } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'

export type LogOutDeps = Pick<AccountDeps, 'db' | 'clock' | 'audit'>

/** Which application asked for it, in the audit entry. */
const askedBy = (application: ApplicationId | undefined) => (application ? { metadata: { application } } : {})

/** Ends the session, and answers it; its access token is dead on the next request. */
export async function logOut(
  { db, clock, audit }: LogOutDeps,
  actor: SessionActor,
  application?: ApplicationId,
): Promise<SessionId> {
  const { sessionId } = actor
  await db.transaction(async (tx) => {
    await endSessions(tx, clock, { session: sessionId }, 'logout')
    await audit.record(tx, actor, 'user.logout', { resource: `session:${sessionId}`, ...askedBy(application) })
  })
  return sessionId
}

/**
 * Ends the session of a browser that has only its cookie left, and answers it; a cookie of no living session is as good as signed out.
 */
export function logOutByCookie(
  { db, clock, audit }: LogOutDeps,
  refreshToken: string,
  origin: RequestOrigin,
  application?: ApplicationId,
): Promise<SessionId | undefined> {
  return db.transaction(async (tx) => {
    const session = await sessionOfRefreshToken(tx, refreshToken)
    if (!session || (await endSessions(tx, clock, { session: session.id }, 'logout')) === 0) return undefined
    await audit.record(tx, { userId: session.userId, teamId: session.teamId, origin }, 'user.logout', {
      resource: `session:${session.id}`,
      ...askedBy(application),
    })
    return session.id
  })
}
