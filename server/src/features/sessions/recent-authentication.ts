import { eq, sql } from 'drizzle-orm'
import { type Clock, MINUTE } from '../../platform/clock.js'
import { randomToken } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import type { Actor, SessionActor } from '../../platform/http/actor.js'
import type { FactorId, SessionId, TeamId } from '../../platform/ids.js'
import { requireSession } from '../permissions/index.js'
import { sessionEnd } from './absolute-end.js'
import { rejection } from './errors.js'
import { secondsUntil } from './open-session.js'
import type { CookieTerms } from './session-cookies.js'
import { sessions } from './tables.js'

const RECENT = 15 * MINUTE

export interface Renewed extends CookieTerms {
  authenticatedAt: Date
  /** For the identity providers' cookie. */
  ssoToken: string
}

/**
 * Requires an authentication within the last 15 minutes.
 * @throws reauthentication_required; session_required for an API token
 */
export function requireRecentAuthentication(clock: Clock, actor: Actor): asserts actor is SessionActor {
  requireSession(actor)
  if (clock.ms() - actor.authenticatedAt.getTime() > RECENT) throw rejection('reauthentication_required')
}

/**
 * Records a reauthentication in the session, and replaces the identity providers' cookie as at every sign-in. Runs in the caller's
 * transaction.
 * @param amr the authentication methods (RFC 8176), which are added to those of the session
 * @param factorIds the factors that were verified
 */
export async function renewAuthentication(
  tx: Transaction,
  clock: Clock,
  sessionId: SessionId,
  amr: string[],
  factorIds: FactorId[] = [],
): Promise<Renewed> {
  const authenticatedAt = clock.now()
  const ssoToken = randomToken()
  const [session] = await tx
    .update(sessions)
    .set({ authenticatedAt, lastSeenAt: authenticatedAt, ssoHash: tokenHash(ssoToken), ...proven(amr, factorIds) })
    .where(eq(sessions.id, sessionId))
    .returning({
      remember: sessions.remember,
      endsAt: sql<Date>`${sql.raw(sessionEnd('sessions'))}`.mapWith(sessions.expiresAt),
    })
  if (!session) throw new Error('The session was deleted')
  return {
    authenticatedAt,
    ssoToken,
    remember: session.remember,
    sessionExpiresIn: secondsUntil(authenticatedAt, session.endsAt),
  }
}

const proven = (amr: string[], factorIds: FactorId[]) => ({
  amr: sql`ARRAY(SELECT DISTINCT a FROM unnest(${sessions.amr} || ${sql.param(amr)}::text[]) a ORDER BY a)`,
  verifiedFactorIds: sql`ARRAY(SELECT DISTINCT f FROM unnest(${sessions.verifiedFactorIds} || ${sql.param(factorIds)}::uuid[]) f)`,
})

/**
 * Adds authentication methods (RFC 8176) and verified factors to a session, without changing its authentication time. Runs in the caller's
 * transaction.
 */
export async function addMethods(
  tx: Transaction,
  sessionId: SessionId,
  amr: string[],
  factorIds: FactorId[],
): Promise<void> {
  await tx.update(sessions).set(proven(amr, factorIds)).where(eq(sessions.id, sessionId))
}

/** Replaces the teams in which a password change is due, after a password change. Runs in the caller's transaction. */
export async function writePasswordDue(tx: Transaction, sessionId: SessionId, teamIds: TeamId[]): Promise<void> {
  await tx.update(sessions).set({ passwordDue: null, passwordDueTeamIds: teamIds }).where(eq(sessions.id, sessionId))
}
