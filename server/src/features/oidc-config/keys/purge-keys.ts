import { sql } from 'drizzle-orm'
import { type Clock, HOUR } from '../../../platform/clock.js'
import type { Database } from '../../../platform/db/database.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { signingKeySets, signingKeys } from '../tables.js'

/** Deletes retired keys whose last token has expired. */
export const purgeSigningKeys = ({ db, clock }: { db: Database; clock: Clock }): JobKind => ({
  kind: 'oidc_config.purge_keys',
  every: HOUR,
  delaysFirstRun: true,
  run: () =>
    db.transaction(async (tx) => {
      // Lock the sets first, in the same order as every change of keys.
      await tx.execute(
        sql`UPDATE ${signingKeySets} SET version = version + 1 WHERE organization_id IN
          (SELECT k.organization_id FROM ${signingKeys} k WHERE k.published_until <= ${clock.now().toISOString()})`,
      )
      await tx.execute(sql`DELETE FROM ${signingKeys} WHERE published_until <= ${clock.now().toISOString()}`)
    }),
})
