import { and, eq, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SessionId, UserId } from '../../../platform/ids.js'
import {
  endSessions,
  oneTimeTokens,
  revokeMatchingChallenges,
  sessions,
  usersWithChallenge,
} from '../../sessions/index.js'
import { lockUser } from '../../users/index.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { ssoSessions } from '../tables.js'

/** The columns by which a provider names a session that it started, or a sign-in that it asserted. */
export interface KnownBy {
  subject: SQLWrapper
  /** `sid` or SessionIndex; null if the provider sent none. */
  sessionIndex: SQLWrapper
  /** The NameID as the provider wrote it; null in OpenID Connect. */
  nameId: SQLWrapper
}

const OPENED: KnownBy = {
  subject: ssoSessions.subject,
  sessionIndex: ssoSessions.sessionIndex,
  nameId: sql`(${ssoSessions.samlName} ->> 'value')`,
}

const asserted = sql`(${oneTimeTokens.data} -> 'asserted')`
const WAITING: KnownBy = {
  subject: sql`(${asserted} ->> 'subject')`,
  sessionIndex: sql`(${asserted} ->> 'sessionIndex')`,
  nameId: sql`(${asserted} -> 'samlName' ->> 'value')`,
}

/**
 * Ends what a provider's sign-out names: sessions with their grants to applications, and sign-ins that wait for a second factor. Runs in
 * the caller's transaction.
 * @param condition builds the condition that selects them
 * @returns the ended sessions
 */
export async function endNamedSessions(
  tx: Transaction,
  { clock, audit }: Pick<SsoDeps, 'clock' | 'audit'>,
  { id, organizationId: teamId }: Pick<Provider, 'id' | 'organizationId'>,
  condition: (known: KnownBy) => SQL | undefined,
  origin: RequestOrigin,
): Promise<SessionId[]> {
  const opened = and(eq(ssoSessions.providerId, id), condition(OPENED), isNull(sessions.endedAt))
  const waiting = and(sql`${asserted} ->> 'providerId' = ${id}`, condition(WAITING))
  // In this order, here and below: a waiting sign-in that completes in between is then found among the sessions.
  const waitFor = await usersWithChallenge(tx, clock, waiting)
  const users = [...waitFor, ...(await sessionsWhere(tx, opened)).map(({ userId }) => userId)]
  // Every writer of an account's sessions locks its user; sorted, so that two transactions do not deadlock.
  const all: SessionId[] = []
  for (const userId of [...new Set(users)].sort()) {
    await lockUser(tx, userId)
    const waited = await revokeMatchingChallenges(tx, clock, userId, waiting)
    let ended = 0
    for (const { session } of await sessionsWhere(tx, and(opened, eq(sessions.userId, userId)))) {
      ended += await endSessions(tx, clock, { session }, 'provider_logout')
      all.push(session)
    }
    await audit.record(tx, { userId, teamId, origin }, 'sso_identity.signed_out', {
      resource: `user:${userId}`,
      metadata: { provider: id, sessions: ended, ...(waited > 0 && { waiting: waited }) },
    })
  }
  return all
}

const sessionsWhere = (tx: Transaction, which: SQL | undefined): Promise<{ session: SessionId; userId: UserId }[]> =>
  tx
    .select({ session: ssoSessions.sessionId, userId: sessions.userId })
    .from(ssoSessions)
    .innerJoin(sessions, eq(sessions.id, ssoSessions.sessionId))
    .where(which)
