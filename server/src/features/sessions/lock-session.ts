import type { Clock } from '../../platform/clock.js'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { FactorId, OriginId, SessionId, TeamId } from '../../platform/ids.js'
import { isActiveSession } from './absolute-end.js'

/** The restriction that a credential inherits from the one with which it is created. */
export interface Provenance {
  /** The origin of the session. */
  temporarySetBy: OriginId | null
}

const hold = namedQuery<Provenance, [SessionId, Date]>(
  'sessions.lock',
  `SELECT s.temporary_set_by AS "temporarySetBy" FROM sessions s JOIN users u ON u.id = s.user_id AND u.epoch = s.epoch
   WHERE s.id = $1 AND ${isActiveSession('s', '$2')} FOR SHARE OF s`,
)

export interface SessionTerms extends Provenance {
  /** The authentication methods of the session (RFC 8176). */
  amr: string[]
  /** Whether its cookies outlive the browser. */
  remember: boolean
  passwordDue: 'temporary' | null
  /** The teams in which a password change is due. */
  passwordDueTeamIds: TeamId[]
  /** The factors that were verified in the session. */
  verifiedFactorIds: FactorId[]
}

const termsOf = namedQuery<SessionTerms, [SessionId]>(
  'sessions.terms',
  `SELECT amr, remember, password_due AS "passwordDue", password_due_team_ids AS "passwordDueTeamIds", verified_factor_ids AS "verifiedFactorIds", temporary_set_by AS "temporarySetBy"
   FROM sessions WHERE id = $1`,
)

/** Returns the terms of the session. */
export async function sessionTerms(runner: Runner, id: SessionId): Promise<SessionTerms> {
  const nothing = { amr: [], remember: false, verifiedFactorIds: [], temporarySetBy: null }
  return (await runner.run(termsOf, [id]))[0] ?? { ...nothing, passwordDue: null, passwordDueTeamIds: [] }
}

const ended = namedQuery<{ ended: boolean }, [string]>(
  'sessions.has_ended',
  'SELECT true AS ended WHERE NOT EXISTS (SELECT FROM sessions WHERE id = $1::uuid AND ended_at IS NULL)',
)

/** Returns whether a session was ended, which ends its pending requests. An expired session was not. Runs in the caller's transaction. */
export const hasEnded = async (tx: Transaction, id: string): Promise<boolean> => (await tx.run(ended, [id])).length > 0

const continueRequests = namedQuery<never, [SessionId, SessionId]>(
  'sessions.continue_requests',
  `UPDATE one_time_tokens SET data = data || jsonb_build_object('session', $2::text)
   WHERE user_id = (SELECT user_id FROM sessions WHERE id = $1) AND kind = 'change_email' AND used_at IS NULL AND data ->> 'session' = $1::text`,
)

/** Moves the pending requests of a session to the session that replaces it. Runs in the caller's transaction. */
export async function continueRequested(tx: Transaction, from: SessionId, to: SessionId): Promise<void> {
  await tx.run(continueRequests, [from, to])
}

/**
 * Verifies again that the caller's session is active: a concurrent request that locked the account before may have ended it. Runs in the
 * caller's transaction, which has locked the account.
 * @throws invalid_access_token
 */
export async function requireActiveSession(
  tx: Transaction,
  clock: Clock,
  { sessionId }: Pick<SessionActor, 'sessionId'>,
): Promise<Provenance> {
  const held = await lockSession(tx, clock, sessionId)
  if (!held) throw invalidAccessToken()
  return held
}

/**
 * Locks the session and returns its provenance; undefined if it is not active. No other transaction can end it until this one ends. Runs in
 * the caller's transaction.
 */
export async function lockSession(tx: Transaction, clock: Clock, id: SessionId): Promise<Provenance | undefined> {
  return (await tx.run(hold, [id, clock.now()]))[0]
}
