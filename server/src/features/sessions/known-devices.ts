import type { Clock } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { UserId } from '../../platform/ids.js'

const upsertDevice = namedQuery<never, [UserId, Buffer, Date]>(
  'known_devices.note',
  `INSERT INTO known_devices (user_id, hash, created_at, last_seen_at) VALUES ($1, $2, $3, $3)
   ON CONFLICT (user_id, hash) DO UPDATE SET last_seen_at = $3`,
)

const devices = namedQuery<{ hash: Buffer }, [UserId]>(
  'known_devices.of_user',
  'SELECT hash FROM known_devices WHERE user_id = $1',
)

/** A step: the browser with this cookie has signed in to the account. */
export async function noteDevice(tx: Transaction, clock: Clock, userId: UserId, deviceToken: string): Promise<void> {
  await tx.run(upsertDevice, [userId, tokenHash(deviceToken), clock.now()])
}

/** The browsers that have signed in to the account, each by the SHA-256 of its cookie. */
export const devicesOf = async (tx: Transaction, userId: UserId): Promise<Buffer[]> =>
  (await tx.run(devices, [userId])).map(({ hash }) => hash)
