import { and, eq, isNull } from 'drizzle-orm'
import { fromNow } from '../../platform/clock.js'
import type { KeyRing } from '../../platform/crypto/key-ring.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Database } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { accessRefusal } from '../access/index.js'
import type { Audit } from '../audit/index.js'
import { memberRefusal, noteTeamUse, openTeamsOf } from '../members/index.js'
import { mayEnterTeam, organizationRefusal } from '../organizations/index.js'
import { successorBySwitch } from './derive-successor.js'
import { type IssuedSession, REFRESH_LIFE, type SessionTokenDeps } from './open-session.js'
import { refreshTokens, sessions } from './tables.js'

interface SwitchDeps extends SessionTokenDeps {
  db: Database
  audit: Audit
  keys: KeyRing
}

/**
 * The same session with another team open. Its refresh token is replaced; the earlier one, presented within its
 * grace of 30 seconds, gets the same new one, so that a tab in the middle of a refresh is not signed out.
 * @throws not_a_member (also for an unknown team), team_sign_in_required, team_suspended
 */
export function switchTeam(
  { db, clock, tokens, audit, keys }: SwitchDeps,
  actor: Actor,
  wanted: string,
): Promise<IssuedSession> {
  return db.transaction(async (tx) => {
    const team = (await openTeamsOf(tx, actor.userId)).find(({ id }) => id === wanted.toLowerCase())
    if (!team) throw memberRefusal('not_a_member')
    if (actor.confinedTo && actor.confinedTo !== team.id) throw accessRefusal('team_sign_in_required')
    if (!mayEnterTeam(team.status, team.role)) throw organizationRefusal('team_suspended')

    // Before its tokens are read, as a refresh does it: neither crosses the other.
    await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, actor.sessionId)).for('no key update')
    const key = keys.current('successor')
    const switchId = uuidv7<string>(clock)
    const refreshToken = successorBySwitch(key, switchId)
    await tx
      .update(refreshTokens)
      .set({ usedAt: clock.now(), successorKeyId: key.id, switchId })
      .where(and(eq(refreshTokens.sessionId, actor.sessionId), isNull(refreshTokens.usedAt)))
    const expiresAt = fromNow(clock, REFRESH_LIFE)
    const [session] = await tx
      .update(sessions)
      .set({ organizationId: team.id, lastSeenAt: clock.now(), expiresAt })
      .where(and(eq(sessions.id, actor.sessionId), isNull(sessions.endedAt)))
      .returning({ remember: sessions.remember })
    if (!session) throw memberRefusal('not_a_member')
    await tx
      .insert(refreshTokens)
      .values({ hash: tokenHash(refreshToken), sessionId: actor.sessionId, createdAt: clock.now(), expiresAt })
    await noteTeamUse(tx, clock, actor.userId, team.id)
    await audit.record(tx, { ...actor, teamId: team.id }, 'session.team_switched', {
      resource: `session:${actor.sessionId}`,
      metadata: { from: actor.teamId, to: team.id },
    })
    const { email, own } = actor.user
    return {
      sessionId: actor.sessionId,
      accessToken: tokens.issue({ sub: actor.userId, sid: actor.sessionId, team: team.id }),
      refreshToken,
      ssoToken: null,
      remember: session.remember,
      user: { id: actor.userId, email, ...own },
      team,
      mustChangePassword: actor.session.mustChangePassword,
    }
  })
}
