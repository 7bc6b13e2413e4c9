import type { RequestOrigin, SessionActor } from '../../platform/http/actor.js'
import { endSessions, sessionOfRefreshToken } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'

/** Ends the session; its access token is dead on the next request. */
export async function logOut({ db, clock, audit }: AccountDeps, actor: SessionActor): Promise<void> {
  await db.transaction(async (tx) => {
    await endSessions(tx, clock, { session: actor.sessionId }, 'logout')
    await audit.record(tx, actor, 'user.logout', { resource: `session:${actor.sessionId}` })
  })
}

/** Ends the session of a browser that has only its cookie left; a cookie of no living session is as good as signed out. */
export async function logOutByCookie(
  { db, clock, audit }: AccountDeps,
  refreshToken: string,
  origin: RequestOrigin,
): Promise<void> {
  await db.transaction(async (tx) => {
    const session = await sessionOfRefreshToken(tx, refreshToken)
    if (!session || (await endSessions(tx, clock, { session: session.id }, 'logout')) === 0) return
    await audit.record(tx, { userId: session.userId, teamId: session.teamId, origin }, 'user.logout', {
      resource: `session:${session.id}`,
    })
  })
}
