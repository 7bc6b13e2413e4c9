import { lt } from 'drizzle-orm'
import { type Clock, HOUR } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { deleteInBatches } from '../../platform/db/delete-in-batches.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { samlKeys } from './tables.js'

/** Deletes expired keys. */
export const purgeSamlKeys = ({ db, clock }: { db: Database; clock: Clock }): JobKind => ({
  kind: 'saml_keys.purge',
  every: HOUR,
  delaysFirstRun: true,
  run: () => deleteInBatches(db, samlKeys, lt(samlKeys.endsAt, clock.now())),
})
