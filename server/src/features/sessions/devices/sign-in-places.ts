import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { UserId } from '../../../platform/ids.js'
import { networkOf } from '../../../protocols/sign-in-risk/index.js'

/** An IP address from which a user has signed in, with the time of the last sign-in. */
export interface SignInPlace {
  ip: string
  lastSeenAt: Date
}

const upsertPlace = namedQuery<never, [UserId, string, string, Date]>(
  'sign_in_places.record',
  `INSERT INTO sign_in_places (user_id, network, ip_address, last_seen_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (user_id, network) DO UPDATE SET ip_address = $3, last_seen_at = $4`,
)

/** Records a sign-in from this IP address. Refreshes are not recorded, because a stolen token allows them. Runs in the caller's transaction. */
export async function recordSignInPlace(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  ip: string | null,
): Promise<void> {
  const network = networkOf(ip)
  if (ip !== null && network !== undefined) await tx.run(upsertPlace, [userId, network, ip, clock.now()])
}

const places = namedQuery<SignInPlace, [UserId]>(
  'sign_in_places.list',
  `SELECT ip_address AS ip, last_seen_at AS "lastSeenAt" FROM sign_in_places WHERE user_id = $1 ORDER BY last_seen_at DESC LIMIT 200`,
)

/** Returns the networks from which the user has signed in during the last 400 days, by last use. Runs in the caller's transaction. */
export const signInPlacesOf = (tx: Transaction, userId: UserId): Promise<SignInPlace[]> => tx.run(places, [userId])
