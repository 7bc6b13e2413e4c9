import { SECOND } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { EngineResponse } from '../engine/engine.js'
import type { PendingDevice } from '../engine/engine-context.js'
import { isRequestCurrent } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'

const lock = namedQuery<Omit<PendingDevice, 'deviceCode'>, [Buffer]>(
  'oidc_provider.lock_device',
  `SELECT d.hash, d.application_id AS "applicationId", d.issuer, d.payload, d.answered_at IS NOT NULL OR NOT ${isRequestCurrent('d')} AS "isRejected",
     d.polled_at AS "polledAt", d.poll_interval AS "pollInterval", d.told_at IS NOT NULL AS "wasNotified", d.expires_at AS "expiresAt"
   FROM device_codes d JOIN applications a ON a.id = d.application_id WHERE d.hash = $1 AND d.grant_id IS NULL FOR NO KEY UPDATE OF d`,
)

const notePoll = namedQuery<never, [Buffer, Date, number]>(
  'oidc_provider.record_poll',
  'UPDATE device_codes SET polled_at = $2, poll_interval = $3 WHERE hash = $1',
)

const recordNotified = namedQuery<never, [Buffer, Date]>(
  'oidc_provider.record_notified',
  'UPDATE device_codes SET told_at = $2 WHERE hash = $1',
)

/** RFC 8628 3.5: each poll that comes too early increases the interval. In seconds. */
const INTERVAL_INCREASE = 5
const MAX_INTERVAL = 60

/** Locks and returns a device code without a grant: pending, denied or expired. Runs in the caller's transaction. */
export async function lockPendingDevice(tx: Transaction, deviceCode: string): Promise<PendingDevice | undefined> {
  const [device] = await tx.run(lock, [tokenHash(deviceCode)])
  return device && { ...device, deviceCode }
}

/**
 * Returns the response to a poll. A device that polls earlier than its interval must slow down by `INTERVAL_INCREASE` (RFC 8628 3.5). Records that
 * the device was notified of a denial or expiry, because it may continue to poll indefinitely.
 */
export async function verifyPoll(
  tx: Transaction,
  { clock }: OidcProviderDeps,
  { hash, polledAt, pollInterval, wasNotified }: PendingDevice,
  response: EngineResponse,
): Promise<EngineResponse> {
  const { error } = JSON.parse(response.body) as { error?: string }
  const now = clock.now()
  if (!wasNotified && isFinalError(error)) await tx.run(recordNotified, [hash, now])
  if (error !== 'authorization_pending') return response
  // Tolerate one second, because network latency varies.
  const tooSoon = polledAt !== null && now.getTime() - polledAt.getTime() < (pollInterval - 1) * SECOND
  await tx.run(notePoll, [hash, now, tooSoon ? Math.min(pollInterval + INTERVAL_INCREASE, MAX_INTERVAL) : pollInterval])
  if (!tooSoon) return response
  return {
    ...response,
    body: JSON.stringify({ error: 'slow_down', error_description: 'polled before the interval was over' }),
  }
}

/** Returns whether the error is final: later polls get the same error. */
export const isFinalError = (error: string | undefined): boolean =>
  error === 'access_denied' || error === 'expired_token'
