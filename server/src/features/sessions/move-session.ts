import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import type { KeyRing } from '../../platform/crypto/key-ring.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { SessionId, TeamId, UserId } from '../../platform/ids.js'
import type { Audit } from '../audit/index.js'
import { confirmMembership, noteTeamUse, type OpenTeam } from '../members/index.js'
import { permissionError } from '../permissions/index.js'
import { isPasswordAged, passwordPolicyOf } from '../policies/index.js'
import { users } from '../users/index.js'
import { absoluteEnd } from './absolute-end.js'
import { type IssuedSession, REFRESH_LIFE, type SessionTokenDeps, secondsUntil } from './open-session.js'
import { refreshTokens, sessions } from './tables.js'
import { successorBySwitch } from './tokens/derive-successor.js'

export interface MoveDeps extends SessionTokenDeps {
  audit: Audit
  keys: KeyRing
}

const lockTerms = namedQuery<{ amr: string[]; absoluteEnd: Date }, [SessionId, TeamId]>(
  'sessions.lock_terms',
  `SELECT s.amr, ${absoluteEnd('s', '$2')} AS "absoluteEnd" FROM sessions s WHERE s.id = $1 FOR NO KEY UPDATE OF s`,
)

/**
 * A step: the caller's session opens another team from now on; how it was proven stays what it was. Its refresh token is replaced;
 * the earlier one, presented within its grace of 30 seconds, gets the same new one, so that a tab in the middle of a refresh is not
 * signed out. A session that was opened by a password that is due in the other team can do nothing there but change it.
 * Whether the caller may open the team has been judged, by its rules of sign-in too.
 * What is due in other teams stays due.
 * @param factor whether the user has a second factor that is valid in the team, and whether the team's rules require one
 * @throws team_sign_in_required when the session is older than sessions may be in the team; invalid_access_token when it has ended meanwhile
 */
export async function moveSession(
  tx: Transaction,
  { clock, tokens, audit, keys }: MoveDeps,
  actor: SessionActor,
  team: OpenTeam,
  factor: { enabled: boolean; due: boolean },
): Promise<IssuedSession> {
  // Before its tokens are read, as a refresh does it: neither crosses the other.
  const [opened] = await tx.run(lockTerms, [actor.sessionId, team.id])
  if (opened && opened.absoluteEnd <= clock.now()) throw permissionError('team_sign_in_required')
  // To switch to a team in an unrestricted session is an explicit act of the user. In the team that the session comes from: a factor that
  // was waived at its sign-in is not required.
  if (actor.restrictedToTeam === null) await confirmMembership(tx, actor.userId, team.id, actor)
  // Whether a team password is due was verified when the session started.
  const mayBeDue = actor.restrictedToTeam === null && opened?.amr.includes('pwd') === true
  const isDue = mayBeDue && (await isPasswordDueIn(tx, clock, actor.userId, team.id))
  const key = keys.current('successor')
  const switchId = uuidv7<string>(clock)
  const refreshToken = successorBySwitch(key, switchId)
  await tx
    .update(refreshTokens)
    .set({ usedAt: clock.now(), successorKeyId: key.id, switchId })
    .where(and(eq(refreshTokens.sessionId, actor.sessionId), isNull(refreshTokens.usedAt)))
  const now = clock.now()
  const expiresAt = new Date(Math.min(now.getTime() + REFRESH_LIFE, opened?.absoluteEnd.getTime() ?? 0))
  const [session] = await tx
    .update(sessions)
    .set({
      organizationId: team.id,
      admittedTeamIds: sql`array_append(array_remove(${sessions.admittedTeamIds}, ${team.id}::uuid), ${team.id}::uuid)`,
      ...(factor.due && {
        enrollmentDueTeamIds: sql`array_append(array_remove(${sessions.enrollmentDueTeamIds}, ${team.id}::uuid), ${team.id}::uuid)`,
      }),
      lastSeenAt: now,
      expiresAt,
      ...(isDue && {
        passwordDueTeamIds: sql`array_append(array_remove(${sessions.passwordDueTeamIds}, ${team.id}::uuid), ${team.id}::uuid)`,
      }),
    })
    .where(and(eq(sessions.id, actor.sessionId), isNull(sessions.endedAt)))
    .returning({
      remember: sessions.remember,
      passwordDue: sessions.passwordDue,
      passwordDueTeamIds: sessions.passwordDueTeamIds,
      mfaDue: sessions.mfaDue,
      dueTeamIds: sessions.enrollmentDueTeamIds,
    })
  if (!session) throw invalidAccessToken()
  await tx
    .insert(refreshTokens)
    .values({ hash: tokenHash(refreshToken), sessionId: actor.sessionId, createdAt: clock.now(), expiresAt })
  await noteTeamUse(tx, clock, actor.userId, team.id, actor.restrictedToTeam === null)
  // Not the team that the session came from: one team learns nothing of another that the user is in.
  await audit.record(tx, { ...actor, teamId: team.id }, 'session.team_switched', {
    resource: `session:${actor.sessionId}`,
    metadata: { to: team.id },
  })
  const { email, own } = actor.user
  return {
    sessionId: actor.sessionId,
    ...tokens.issue({ sub: actor.userId, sid: actor.sessionId, team: team.id }, expiresAt),
    endsIn: secondsUntil(now, expiresAt),
    refreshToken,
    ssoToken: null,
    remember: session.remember,
    user: { id: actor.userId, email, ...own },
    team,
    mustChangePassword: session.passwordDue !== null || session.passwordDueTeamIds.includes(team.id),
    mfa: {
      ...actor.mfa,
      enabled: factor.enabled,
      enrollmentRequired: !factor.enabled && (session.mfaDue || session.dueTeamIds.includes(team.id)),
    },
  }
}

/** Whether the user's password must be replaced before a session that it opened goes on in the team. */
async function isPasswordDueIn(tx: Transaction, clock: Clock, userId: UserId, teamId: TeamId): Promise<boolean> {
  const { passwordSetAt: setAt, passwordDueTeamIds: dueIn } = users
  const [user] = await tx.select({ setAt, dueIn }).from(users).where(eq(users.id, userId))
  return user?.dueIn.includes(teamId) || isPasswordAged(await passwordPolicyOf(tx, teamId), user?.setAt ?? null, clock)
}
