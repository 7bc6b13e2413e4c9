import type { Clock } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { Audit } from '../audit/index.js'
import { normalizeDomains } from './email-domain.js'
import { type InstanceSettings, readSettings, type SettingsChange, writeSettings } from './repository.js'

export interface SettingsDeps {
  db: Database
  clock: Clock
  audit: Audit
}

export const currentSettings = ({ db }: SettingsDeps): Promise<InstanceSettings> =>
  db.transaction((tx) => readSettings(tx))

/** Updates the given fields. The route requires the permission of an instance administrator. */
export function updateSettings(
  { db, clock, audit }: SettingsDeps,
  actor: Actor,
  change: SettingsChange,
): Promise<InstanceSettings> {
  return db.transaction(async (tx) => {
    const before = await readSettings(tx, true)
    const turnsOn = change.mfaRequired === true && !before.mfaRequired
    const after = await writeSettings(tx, clock, {
      ...change,
      ...(change.allowedDomains && { allowedDomains: normalizeDomains(change.allowedDomains) }),
      ...(turnsOn && { mfaRequiredSince: clock.now() }),
    })
    await audit.record(tx, actor, 'instance.updated', {
      resource: 'instance:singleton',
      metadata: { changed: Object.keys(change).sort() },
    })
    return after
  })
}
