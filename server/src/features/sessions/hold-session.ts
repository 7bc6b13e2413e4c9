import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { SessionId } from '../../platform/ids.js'

const hold = namedQuery<{ id: SessionId }, [SessionId, Date]>(
  'sessions.hold',
  'SELECT id FROM sessions WHERE id = $1 AND ended_at IS NULL AND expires_at > $2 FOR SHARE',
)

export interface SessionTerms {
  /** By what the session was proven (RFC 8176). */
  amr: string[]
  /** Whether its cookies outlive the browser. */
  remember: boolean
  passwordDue: 'temporary' | 'aged' | null
}

const termsOf = namedQuery<SessionTerms, [SessionId]>(
  'sessions.terms',
  'SELECT amr, remember, password_due AS "passwordDue" FROM sessions WHERE id = $1',
)

/** A step: on what terms the session was opened. */
export async function sessionTerms(tx: Transaction, id: SessionId): Promise<SessionTerms> {
  return (await tx.run(termsOf, [id]))[0] ?? { amr: [], remember: false, passwordDue: null }
}

/**
 * A step, on a locked account: the caller's session still lives. It was alive when the request came in, and whoever ended it since has
 * had the account locked before us.
 * @throws invalid_access_token
 */
export async function requireLiveSession(
  tx: Transaction,
  clock: Clock,
  { sessionId }: Pick<SessionActor, 'sessionId'>,
): Promise<void> {
  if (!(await holdSession(tx, clock, sessionId))) throw invalidAccessToken()
}

/** A step: whether the session is alive; if so, whoever ends it waits until the transaction ends. */
export async function holdSession(tx: Transaction, clock: Clock, id: SessionId): Promise<boolean> {
  return (await tx.run(hold, [id, clock.now()])).length === 1
}
