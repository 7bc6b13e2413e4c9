import type { Clock } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SessionId, UserId } from '../../../platform/ids.js'
import type { OwnSession } from '../created-in.js'

const upsertDevice = namedQuery<
  never,
  { userId: UserId; hash: Buffer; now: Date; ip: string | null; userAgent: string | null; factorAt: Date | null }
>(
  'known_devices.record',
  `INSERT INTO known_devices AS d (user_id, hash, created_at, last_seen_at, ip_address, user_agent, factor_at, epoch) SELECT id, :hash, :now, :now, :ip, :userAgent, :factorAt, epoch FROM users WHERE id = :userId
   ON CONFLICT (user_id, hash) DO UPDATE SET last_seen_at = :now, ip_address = :ip, user_agent = :userAgent, epoch = excluded.epoch,
     factor_at = coalesce(:factorAt, CASE WHEN d.epoch = excluded.epoch THEN d.factor_at END)`,
)

/**
 * Records a sign-in to the account from the browser with this cookie. Runs in the caller's transaction.
 * @param verifiedFactor whether the sign-in verified an unrestricted second factor
 */
export async function recordDevice(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  deviceToken: string,
  { ip, userAgent }: RequestOrigin,
  verifiedFactor: boolean,
): Promise<void> {
  const now = clock.now()
  await tx.run(upsertDevice, {
    userId,
    hash: tokenHash(deviceToken),
    now,
    ip,
    userAgent,
    factorAt: verifiedFactor ? now : null,
  })
}

const forgetAll = namedQuery<{ hash: Buffer }, [UserId]>(
  'known_devices.forget',
  `WITH places AS (DELETE FROM sign_in_places WHERE user_id = $1) DELETE FROM known_devices WHERE user_id = $1 RETURNING hash`,
)

/** Removes all known browsers and networks of the account. Runs in the caller's transaction. @returns the SHA-256 of each browser's cookie */
export const forgetDevices = async (tx: Transaction, userId: UserId): Promise<Buffer[]> =>
  (await tx.run(forgetAll, [userId])).map(({ hash }) => hash)

// A sign-in records the browser and starts the session in one transaction, so their times are close.
const forgetOthers = namedQuery<never, [UserId, SessionId]>(
  'known_devices.forget_others',
  `WITH places AS (DELETE FROM sign_in_places p USING sessions s WHERE p.user_id = $1 AND s.id = $2 AND p.ip_address IS DISTINCT FROM s.ip_address)
   DELETE FROM known_devices d USING sessions s WHERE d.user_id = $1 AND s.id = $2
     AND NOT (d.user_agent IS NOT DISTINCT FROM s.user_agent AND abs(extract(epoch FROM d.last_seen_at - s.signed_in_at)) < 5)`,
)

/** Removes the known browsers and networks of the account, except those of the session's sign-in. Runs in the caller's transaction. */
export async function forgetOtherDevices(tx: Transaction, { user, session }: OwnSession): Promise<void> {
  await tx.run(forgetOthers, [user, session])
}

/** @returns a reader of the SHA-256 of the browser's cookie; undefined if the browser does not meet the condition on `u` and `d` */
function deviceReader(name: string, condition: string) {
  const query = namedQuery<{ hash: Buffer }, [UserId, Buffer]>(
    `known_devices.${name}`,
    `SELECT d.hash FROM known_devices d JOIN users u ON u.id = d.user_id AND u.epoch = d.epoch
     WHERE d.user_id = $1 AND d.hash = $2 AND ${condition}`,
  )
  return async (runner: Runner, userId: UserId, deviceToken: string | undefined): Promise<Buffer | undefined> => {
    if (deviceToken === undefined) return undefined
    return (await runner.run(query, [userId, tokenHash(deviceToken)]))[0]?.hash
  }
}

/** Returns the SHA-256 of the browser's cookie, if the browser has signed in to the account before. */
export const knownDevice = deviceReader('is_known', 'true')

/**
 * Like `knownDevice`, but if the account has a second factor, the browser must have verified one: a sign-in with only the password does not
 * make it the owner's browser.
 */
export const trustedDevice = deviceReader('is_trusted', '(u.second_factor_since IS NULL OR d.factor_at IS NOT NULL)')

/** Like `knownDevice`, but a sign-in from the browser must have verified an unrestricted second factor. */
export const deviceWithFactor = deviceReader('verified_factor', 'd.factor_at IS NOT NULL')

const forgetFactor = namedQuery<never, [UserId]>(
  'known_devices.forget_factor',
  'UPDATE known_devices SET factor_at = NULL WHERE user_id = $1 AND factor_at IS NOT NULL',
)

/** Clears which browsers have verified a factor, when the last one was removed. Runs in the caller's transaction. */
export async function forgetVerifiedFactors(tx: Transaction, userId: UserId): Promise<void> {
  await tx.run(forgetFactor, [userId])
}
