import { MINUTE } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { ApplicationId } from '../../../platform/ids.js'
import { throttleKey } from '../../../platform/throttle/throttle.js'
import { isRequestCurrent } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { issuerUrl } from '../model/issuer.js'

interface Row {
  hash: Buffer
  application_id: ApplicationId
  generation: number | null
  issuer: string
  payload: { params?: Record<string, string | undefined> }
  expires_at: Date
}

const findDevice = namedQuery<Row, [Buffer, Date]>(
  'oidc_provider.find_device',
  `SELECT d.hash, d.application_id, d.generation, d.issuer, d.payload, d.expires_at FROM device_codes d JOIN applications a ON a.id = d.application_id
   WHERE d.user_code_hash = $1 AND d.answered_at IS NULL AND d.expires_at > $2 AND a.stopped_at IS NULL AND ${isRequestCurrent('d')}`,
)

const insertInteraction = namedQuery<
  never,
  {
    hash: Buffer
    applicationId: ApplicationId
    generation: number | null
    issuer: string
    browserHash: Buffer | null
    deviceHash: Buffer
    payload: Record<string, unknown>
    now: Date
    expiresAt: Date
  }
>(
  'oidc_provider.insert_device_interaction',
  `INSERT INTO interactions (hash, application_id, generation, issuer, browser_hash, device_hash, payload, created_at, expires_at)
   VALUES (:hash, :applicationId, :generation, :issuer, :browserHash, :deviceHash, :payload, :now, :expiresAt)`,
)

/** RFC 8628 5.1: after this many wrong codes of a user, one attempt per second. */
const MAX_WRONG_CODES = 10
const WINDOW = 10 * MINUTE

const USER_CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/

/**
 * Finds the device that shows a code (RFC 8628 3.3) and creates the pending request, which the caller then reads and decides. Case, dashes
 * and spaces are ignored.
 * @param browserToken the browser's cookie, to which the request is bound; undefined for a caller with a Bearer token
 * @throws device_code_not_found, rate_limited
 */
export async function verifyDeviceCode(
  { db, clock, config, throttle, audit }: OidcProviderDeps,
  actor: SessionActor,
  typed: string,
  browserToken: string | undefined,
): Promise<{ uid: string; idp: string }> {
  const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const key = throttleKey('device', actor.userId)
  const found = await db.transaction(async (tx) => {
    await throttle.admitSource(tx, key, MAX_WRONG_CODES)
    const [device] = USER_CODE.test(code) ? await tx.run(findDevice, [tokenHash(code), clock.now()]) : []
    if (!device) {
      // A valid code does not reset the counter: an attacker can obtain one for a device of their own.
      await throttle.countFailure(tx, key, { max: MAX_WRONG_CODES, windowMs: WINDOW })
      await audit.record(tx, actor, 'application.device_not_found', { result: 'FAILURE' })
      return undefined
    }
    const uid = randomToken()
    await tx.run(insertInteraction, {
      hash: tokenHash(uid),
      applicationId: device.application_id,
      generation: device.generation,
      issuer: device.issuer,
      browserHash: browserToken ? tokenHash(browserToken) : null,
      deviceHash: device.hash,
      payload: { params: device.payload.params ?? {}, prompt: { name: 'consent', reasons: ['device'] } },
      now: clock.now(),
      expiresAt: device.expires_at,
    })
    return { uid, idp: issuerUrl(config.baseUrl, device.issuer) }
  })
  if (!found) throw rejection('device_code_not_found')
  return found
}
