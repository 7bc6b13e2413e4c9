import type { Clock } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'

const upsertDevice = namedQuery<never, [UserId, Buffer, Date, string | null, string | null, Date | null]>(
  'known_devices.note',
  `INSERT INTO known_devices (user_id, hash, created_at, last_seen_at, ip_address, user_agent, factor_at) VALUES ($1, $2, $3, $3, $4, $5, $6)
   ON CONFLICT (user_id, hash) DO UPDATE SET last_seen_at = $3, ip_address = $4, user_agent = $5, factor_at = coalesce($6, known_devices.factor_at)`,
)

/**
 * A step: the browser with this cookie has signed in to the account.
 * @param provenFactor whether that sign-in proved a second factor
 */
export async function noteDevice(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  deviceToken: string,
  { ip, userAgent }: RequestOrigin,
  provenFactor: boolean,
): Promise<void> {
  const now = clock.now()
  await tx.run(upsertDevice, [userId, tokenHash(deviceToken), now, ip, userAgent, provenFactor ? now : null])
}

const forgetAll = namedQuery<{ hash: Buffer }, [UserId]>(
  'known_devices.forget',
  `WITH places AS (DELETE FROM sign_in_places WHERE user_id = $1) DELETE FROM known_devices WHERE user_id = $1 RETURNING hash`,
)

/** A step: no browser and no network is known to the account any more. Answers those that were, each by the SHA-256 of its cookie. */
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

const isTrusted = namedQuery<{ hash: Buffer }, [UserId, Buffer]>(
  'known_devices.is_trusted',
  `SELECT d.hash FROM known_devices d JOIN users u ON u.id = d.user_id
   WHERE d.user_id = $1 AND d.hash = $2 AND (u.second_factor_since IS NULL OR d.factor_at >= u.second_factor_since)`,
)

/**
 * As `knownDevice`, and where the account has a second factor only if the browser has proven it: one from which somebody came in with the
 * password alone is not the owner's for that.
 */
export async function trustedDevice(
  runner: Runner,
  userId: UserId,
  deviceToken: string | undefined,
): Promise<Buffer | undefined> {
  if (deviceToken === undefined) return undefined
  return (await runner.run(isTrusted, [userId, tokenHash(deviceToken)]))[0]?.hash
}
