import { and, eq, gt, isNull } from 'drizzle-orm'
import { fromNow, SECOND } from '../../platform/clock.js'
import { randomToken } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Database } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { accessRefusal, isTopRole } from '../access/index.js'
import type { Audit } from '../audit/index.js'
import { memberRefusal, noteTeamUse, openTeamsOf } from '../members/index.js'
import { organizationRefusal } from '../organizations/index.js'
import { type IssuedSession, REFRESH_LIFE, type SessionTokenDeps } from './open-session.js'
import { refreshTokens, sessions } from './tables.js'

interface SwitchDeps extends SessionTokenDeps {
  db: Database
  audit: Audit
}

/** As long as a refresh that was under way in another tab may take. */
const HANDOVER = 30 * SECOND

/**
 * The same session with another team open. It gets a refresh token of its own; the earlier one has 30 seconds left, so that a
 * tab in the middle of a refresh is not signed out.
 * @throws not_a_member (also for an unknown team), team_sign_in_required, team_suspended
 */
export function switchTeam(
  { db, clock, tokens, audit }: SwitchDeps,
  actor: Actor,
  wanted: string,
): Promise<IssuedSession> {
  return db.transaction(async (tx) => {
    const team = (await openTeamsOf(tx, actor.userId)).find(({ id }) => id === wanted.toLowerCase())
    if (!team) throw memberRefusal('not_a_member')
    if (actor.confinedTo && actor.confinedTo !== team.id) throw accessRefusal('team_sign_in_required')
    if (team.status !== 'ACTIVE' && !isTopRole(team.role)) throw organizationRefusal('team_suspended')

    const refreshToken = randomToken()
    const expiresAt = fromNow(clock, REFRESH_LIFE)
    const [session] = await tx
      .update(sessions)
      .set({ organizationId: team.id, lastSeenAt: clock.now(), expiresAt })
      .where(and(eq(sessions.id, actor.sessionId), isNull(sessions.endedAt)))
      .returning({ remember: sessions.remember })
    if (!session) throw memberRefusal('not_a_member')
    const handover = fromNow(clock, HANDOVER)
    await tx
      .update(refreshTokens)
      .set({ expiresAt: handover })
      .where(
        and(
          eq(refreshTokens.sessionId, actor.sessionId),
          isNull(refreshTokens.usedAt),
          // Shortened, never lengthened: those of an earlier change stay dead.
          gt(refreshTokens.expiresAt, handover),
        ),
      )
    await tx
      .insert(refreshTokens)
      .values({ hash: tokenHash(refreshToken), sessionId: actor.sessionId, createdAt: clock.now(), expiresAt })
    await noteTeamUse(tx, clock, actor.userId, team.id)
    await audit.record(tx, { ...actor, teamId: team.id }, 'session.team_switched', {
      resource: `session:${actor.sessionId}`,
      metadata: { from: actor.teamId, to: team.id },
    })
    const { email, firstName, lastName } = actor.user
    return {
      sessionId: actor.sessionId,
      accessToken: tokens.issue({ sub: actor.userId, sid: actor.sessionId, team: team.id }),
      refreshToken,
      ssoToken: null,
      remember: session.remember,
      user: { id: actor.userId, email, firstName: team.firstName ?? firstName, lastName: team.lastName ?? lastName },
      team,
      mustChangePassword: actor.session.mustChangePassword,
    }
  })
}
