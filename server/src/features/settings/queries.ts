import type { Database } from '../../platform/db/database.js'
import { type InstanceSettings, readSettings } from './repository.js'

export const currentSettings = ({ db }: { db: Database }): Promise<InstanceSettings> =>
  db.transaction((tx) => readSettings(tx))
