import type { Clock } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { UserId } from '../../platform/ids.js'

const upsertDevice = namedQuery<never, [UserId, Buffer, Date]>(
  'known_devices.note',
  `INSERT INTO known_devices (user_id, hash, created_at, last_seen_at) VALUES ($1, $2, $3, $3)
   ON CONFLICT (user_id, hash) DO UPDATE SET last_seen_at = $3`,
)

/** A step: the browser with this cookie has signed in to the account. */
export async function noteDevice(tx: Transaction, clock: Clock, userId: UserId, deviceToken: string): Promise<void> {
  await tx.run(upsertDevice, [userId, tokenHash(deviceToken), clock.now()])
}

const forgetAll = namedQuery<{ hash: Buffer }, [UserId]>(
  'known_devices.forget',
  'DELETE FROM known_devices WHERE user_id = $1 RETURNING hash',
)

/** A step: no browser is known to the account any more. Answers those that were, each by the SHA-256 of its cookie. */
export const forgetDevices = async (tx: Transaction, userId: UserId): Promise<Buffer[]> =>
  (await tx.run(forgetAll, [userId])).map(({ hash }) => hash)

const isKnown = namedQuery<{ hash: Buffer }, [UserId, Buffer]>(
  'known_devices.is_known',
  'SELECT hash FROM known_devices WHERE user_id = $1 AND hash = $2',
)

/** The SHA-256 of the browser's cookie, if the browser has signed in to the account before. */
export async function knownDevice(
  runner: Runner,
  userId: UserId,
  deviceToken: string | undefined,
): Promise<Buffer | undefined> {
  if (deviceToken === undefined) return undefined
  return (await runner.run(isKnown, [userId, tokenHash(deviceToken)]))[0]?.hash
}
