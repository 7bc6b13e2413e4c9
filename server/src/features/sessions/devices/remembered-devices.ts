import type { Clock } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { type DeviceId, parseId, type UserId } from '../../../platform/ids.js'
import type { Audit } from '../../audit/index.js'
import { rejection } from '../errors.js'
import { requireUnrestricted } from '../list-sessions.js'

export interface RememberedDevice {
  id: DeviceId
  ip_address: string | null
  user_agent: string | null
  created_at: Date
  last_seen_at: Date
  /** The browser of this request. */
  current: boolean
}

// The ID is derived from the user and the hash of the browser's cookie, so that it does not link the accounts of one browser.
const ID = `encode(substring(sha256(uuid_send(user_id) || hash) FOR 16), 'hex')::uuid`

const listDevices = namedQuery<RememberedDevice, [UserId, Buffer | null]>(
  'known_devices.list',
  `SELECT ${ID} AS id, ip_address, user_agent, created_at, last_seen_at, hash IS NOT DISTINCT FROM $2 AS current FROM known_devices
   WHERE user_id = $1 AND epoch = (SELECT epoch FROM users WHERE id = $1) ORDER BY last_seen_at DESC, hash LIMIT 500`,
)
const forgetOne = namedQuery<{ id: DeviceId }, [UserId, DeviceId]>(
  'known_devices.forget_one',
  `DELETE FROM known_devices WHERE user_id = $1 AND ${ID} = $2 RETURNING ${ID} AS id`,
)

interface DeviceDeps {
  db: Database
  clock: Clock
  audit: Audit
}

/** Returns the browsers from which the caller has signed in, by last use. @throws team_sign_in_required */
export function rememberedDevices(
  { db }: DeviceDeps,
  actor: SessionActor,
  deviceToken: string | undefined,
): Promise<RememberedDevice[]> {
  return db.transaction(async (tx) => {
    requireUnrestricted(actor)
    return tx.run(listDevices, [actor.userId, deviceToken === undefined ? null : tokenHash(deviceToken)])
  })
}

/** Removes a known browser; its session stays active. @throws device_not_found, team_sign_in_required */
export async function forgetDevice({ db, audit }: DeviceDeps, actor: SessionActor, deviceId: string): Promise<void> {
  await db.transaction(async (tx) => {
    requireUnrestricted(actor)
    const id = parseId<DeviceId>(deviceId)
    if (!id || !(await tx.run(forgetOne, [actor.userId, id]))[0]) throw rejection('device_not_found')
    await audit.record(tx, actor, 'user.device_forgotten', { resource: `device:${id}` })
  })
}
