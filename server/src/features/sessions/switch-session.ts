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
import { confirmMembership, isPasswordOlderThan, type OpenTeam, recordTeamUse } from '../members/index.js'
import { isPasswordExpired, passwordPolicyOf } from '../password-policy/index.js'
import { permissionError } from '../permissions/index.js'
import { users } from '../users/index.js'
import { absoluteEnd } from './absolute-end.js'
import { successorBySwitch } from './derive-successor.js'
import { type IssuedSession, REFRESH_LIFETIME, type SessionTokenDeps, secondsUntil } from './open-session.js'
import { refreshOrigin } from './refresh-entries.js'
import { refreshTokens, sessions } from './tables.js'

export interface SwitchDeps extends SessionTokenDeps {
  audit: Audit
  keys: KeyRing
}

const lockSession = namedQuery<{ amr: string[]; absoluteEnd: Date }, [SessionId, TeamId]>(
  'sessions.lock_terms',
  `SELECT s.amr, ${absoluteEnd('s', '$2')} AS "absoluteEnd" FROM sessions s WHERE s.id = $1 FOR NO KEY UPDATE OF s`,
)

/**
 * Switches the caller's session to another team; its authentication methods stay the same. Replaces its refresh token. For 30 seconds
 * (`REUSE_GRACE`), the previous token returns the same successor, so a tab with a concurrent refresh stays signed in. Marks a password change
 * as due if the team requires one. The caller must have verified that the user may enter the team, including its policies. Runs in the
 * caller's transaction.
 * @param factor `enabled`: the user has a factor that is valid in the team; `due`: the team's policies require one
 * @throws team_sign_in_required if the session exceeds the team's maximum lifetime; invalid_access_token if it was revoked concurrently
 */
export async function switchSession(
  tx: Transaction,
  { clock, tokens, audit, keys }: SwitchDeps,
  actor: SessionActor,
  team: OpenTeam,
  factor: { enabled: boolean; due: boolean },
): Promise<IssuedSession> {
  // Same lock order as a refresh, so both can't rotate the token family at once.
  const [locked] = await tx.run(lockSession, [actor.sessionId, team.id])
  if (locked && locked.absoluteEnd <= clock.now()) throw permissionError('team_sign_in_required')
  // A switch in an unrestricted session is an explicit action of the user, which confirms the membership.
  if (actor.restrictedToTeam === null) await confirmMembership(tx, actor.userId, team.id, actor)
  // The sign-in that started a restricted session has already checked the password of its team.
  const mayBeDue = actor.restrictedToTeam === null && locked?.amr.includes('pwd') === true
  const isDue = mayBeDue && (await isPasswordDueIn(tx, clock, actor.userId, team))
  const key = keys.current('successor')
  const switchId = uuidv7<string>(clock)
  const refreshToken = successorBySwitch(key, switchId)
  await tx
    .update(refreshTokens)
    .set({ usedAt: clock.now(), successorKeyId: key.id, switchId })
    .where(and(eq(refreshTokens.sessionId, actor.sessionId), isNull(refreshTokens.usedAt)))
  const now = clock.now()
  const expiresAt = new Date(Math.min(now.getTime() + REFRESH_LIFETIME, locked?.absoluteEnd.getTime() ?? 0))
  const [session] = await tx
    .update(sessions)
    .set({
      organizationId: team.id,
      admittedTeamIds: sql`array_append(array_remove(${sessions.admittedTeamIds}, ${team.id}::uuid), ${team.id}::uuid)`,
      ...(factor.due && {
        enrollmentDueTeamIds: sql`array_append(array_remove(${sessions.enrollmentDueTeamIds}, ${team.id}::uuid), ${team.id}::uuid)`,
      }),
      lastSeenAt: now,
      // The log of the new team must not show how often the session was refreshed in the previous one.
      refreshes: 0,
      refreshPeriodStart: now,
      refreshOrigins: sql`ARRAY[${refreshOrigin(actor.origin)}::bytea]`,
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
  await recordTeamUse(tx, clock, actor.userId, team.id, actor.restrictedToTeam === null)
  // The entry omits the previous team, because a team must not learn the user's other teams.
  await audit.record(tx, { ...actor, teamId: team.id }, 'session.team_switched', {
    resource: `session:${actor.sessionId}`,
    metadata: { to: team.id },
  })
  const { email, own } = actor.user
  return {
    sessionId: actor.sessionId,
    ...tokens.issue({ sub: actor.userId, sid: actor.sessionId, team: team.id }, expiresAt),
    sessionExpiresIn: secondsUntil(now, expiresAt),
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

/** Returns whether the own password must be changed before it grants access to the team. */
async function isPasswordDueIn(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  { id, passwordsValidFrom }: OpenTeam,
): Promise<boolean> {
  const { passwordSetAt, passwordDueTeamIds: dueIn } = users
  const [user] = await tx.select({ setAt: passwordSetAt, dueIn }).from(users).where(eq(users.id, userId))
  const setAt = user?.setAt ?? null
  if (user?.dueIn.includes(id) || isPasswordOlderThan(setAt, passwordsValidFrom)) return true
  return isPasswordExpired(await passwordPolicyOf(tx, id), setAt, clock)
}
