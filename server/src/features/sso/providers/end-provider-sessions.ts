import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionId, SsoProviderId, UserId } from '../../../platform/ids.js'
import { endSessions } from '../../sessions/index.js'
import type { Provider } from '../model/provider.js'

const OPENED = `FROM sso_sessions o JOIN sessions s ON s.id = o.session_id WHERE o.provider_id = $1 AND s.ended_at IS NULL`

const lockUsersOf = namedQuery<{ id: UserId }, [SsoProviderId[]]>(
  'sso.lock_users_of_sessions',
  `SELECT id FROM users WHERE id IN (SELECT s.user_id ${OPENED.replace('= $1', '= ANY($1::uuid[])')}) ORDER BY id FOR NO KEY UPDATE`,
)
const openedBy = namedQuery<{ id: SessionId }, [SsoProviderId]>('sso.sessions_of_provider', `SELECT s.id ${OPENED}`)

/**
 * Locks the users whose sessions the providers started, in the order of their IDs. Call it before the providers are locked, as every
 * other transaction does. Runs in the caller's transaction.
 */
export async function lockSessionUsers(tx: Transaction, ids: SsoProviderId[]): Promise<void> {
  await tx.run(lockUsersOf, [ids])
}

/**
 * Ends the sessions that the provider started, with their grants to applications. Sessions that its users started with another sign-in
 * method stay valid. Runs the same number of statements for any number of sessions. Runs in the caller's transaction.
 * @param provider locked after `lockSessionUsers`, so that no sign-in with it completes meanwhile
 * @returns the number of ended sessions
 */
export async function endProviderSessions(
  tx: Transaction,
  clock: Clock,
  { id }: Pick<Provider, 'id'>,
  why: 'provider_disabled' | 'provider_deleted' | 'provider_replaced',
): Promise<number> {
  // Locks the rare users who signed in between the two locks.
  await lockSessionUsers(tx, [id])
  const opened = await tx.run(openedBy, [id])
  return endSessions(tx, clock, { sessions: opened.map((session) => session.id) }, why)
}
