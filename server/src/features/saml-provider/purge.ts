import { lt } from 'drizzle-orm'
import { type Clock, HOUR } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { deleteInBatches } from '../../platform/db/delete-in-batches.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { samlHeardLogouts, samlLogouts, samlRequests } from './tables.js'

/** Deletes expired requests and sign-outs. */
export const purgeSamlProvider = ({ db, clock }: { db: Database; clock: Clock }): JobKind => ({
  kind: 'saml_provider.purge',
  every: HOUR,
  delaysFirstRun: true,
  run: async () => {
    for (const table of [samlRequests, samlLogouts, samlHeardLogouts])
      await deleteInBatches(db, table, lt(table.expiresAt, new Date(clock.ms() - HOUR)))
  },
})
