import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId, SsoProviderId, UserId } from '../../platform/ids.js'
import { endSessions } from '../sessions/index.js'
import type { Provider } from './provider.js'

const OPENED = `FROM sso_sessions o JOIN sessions s ON s.id = o.session_id WHERE o.provider_id = $1 AND s.ended_at IS NULL`

const lockUsersOf = namedQuery<{ id: UserId }, [SsoProviderId[]]>(
  'sso.lock_users_of_sessions',
  `SELECT id FROM users WHERE id IN (SELECT s.user_id ${OPENED.replace('= $1', '= ANY($1::uuid[])')}) ORDER BY id FOR NO KEY UPDATE`,
)
const openedBy = namedQuery<{ id: SessionId }, [SsoProviderId]>('sso.sessions_of_provider', `SELECT s.id ${OPENED}`)

/**
 * Locks the users whose sessions the providers opened, in the order of their IDs: before the providers, as everything else does. Runs in the
 * caller's transaction.
 */
export async function lockOpeners(tx: Transaction, ids: SsoProviderId[]): Promise<void> {
  await tx.run(lockUsersOf, [ids])
}

/**
 * A step: the sessions that the provider opened are over, on every node, with what they gave to applications; what its users opened by
 * another proof stays. Of thousands of sessions it asks as little as of one.
 * @param provider locked after `lockOpeners`, so that no sign-in by it ends meanwhile
 * @returns how many lived
 */
export async function endOpened(
  tx: Transaction,
  clock: Clock,
  { id }: Pick<Provider, 'id'>,
  why: 'provider_disabled' | 'provider_deleted' | 'provider_replaced',
): Promise<number> {
  // Users who signed in by the provider between the two locks: hardly ever any.
  await lockOpeners(tx, [id])
  const opened = await tx.run(openedBy, [id])
  return endSessions(tx, clock, { sessions: opened.map((session) => session.id) }, why)
}
