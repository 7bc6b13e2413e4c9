import { and, eq, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId, UserId } from '../../platform/ids.js'
import { dropSomeWaiting, endSessions, oneTimeTokens, sessions, waitingUsers } from '../sessions/index.js'
import { lockUser } from '../users/index.js'
import type { SsoDeps } from './deps.js'
import type { Provider } from './provider.js'
import { ssoSessions } from './tables.js'

/** By what a provider knows a session that it opened, and a sign-in that it vouched for. */
export interface KnownBy {
  subject: SQLWrapper
  /** `sid` or SessionIndex; null where it named none. */
  sessionIndex: SQLWrapper
  /** The NameID as it was written; null beside SAML. */
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
 * A step: what a provider means by its sign-out is over: the sessions that it opened, with what they gave to applications, and the sign-ins
 * that it vouched for and that wait for a second factor.
 * @param meant the condition under which one is meant
 */
export async function endNamed(
  tx: Transaction,
  { clock, audit }: Pick<SsoDeps, 'clock' | 'audit'>,
  { id, organizationId: teamId }: Pick<Provider, 'id' | 'organizationId'>,
  meant: (known: KnownBy) => SQL | undefined,
  origin: RequestOrigin,
): Promise<void> {
  const opened = and(eq(ssoSessions.providerId, id), meant(OPENED), isNull(sessions.endedAt))
  const waiting = and(sql`${asserted} ->> 'providerId' = ${id}`, meant(WAITING))
  // In this order, and below as well: what waits no more when it is asked for is a session by the time that those are.
  const waitFor = await waitingUsers(tx, clock, waiting)
  const users = [...waitFor, ...(await opensOf(tx, opened)).map(({ userId }) => userId)]
  // Whoever opens or ends the sessions of an account takes turns; always in one order, so that no two wait for each other.
  for (const userId of [...new Set(users)].sort()) {
    await lockUser(tx, userId)
    const waited = await dropSomeWaiting(tx, clock, userId, waiting)
    let ended = 0
    for (const { session } of await opensOf(tx, and(opened, eq(sessions.userId, userId))))
      ended += await endSessions(tx, clock, { session }, 'provider_logout')
    await audit.record(tx, { userId, teamId, origin }, 'sso_identity.signed_out', {
      resource: `user:${userId}`,
      metadata: { provider: id, sessions: ended, ...(waited > 0 && { waiting: waited }) },
    })
  }
}

const opensOf = (tx: Transaction, which: SQL | undefined): Promise<{ session: SessionId; userId: UserId }[]> =>
  tx
    .select({ session: ssoSessions.sessionId, userId: sessions.userId })
    .from(ssoSessions)
    .innerJoin(sessions, eq(sessions.id, ssoSessions.sessionId))
    .where(which)
