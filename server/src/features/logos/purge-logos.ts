import { sql } from 'drizzle-orm'
import { DAY } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { deleteInBatches } from '../../platform/db/delete-in-batches.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { INSTANCE_LOGO, logos } from './tables.js'

/** Deletes the images whose team or application no longer exists or has no logo. */
export const purgeLogos = ({ db }: { db: Database }): JobKind => ({
  kind: 'logos.purge',
  every: DAY,
  delaysFirstRun: true,
  run: () => deleteInBatches(db, logos, HAS_NO_OWNER),
})

const HAS_NO_OWNER = sql`owner_id NOT IN (
  SELECT id FROM organizations WHERE logo_url IS NOT NULL
  UNION ALL SELECT id FROM applications WHERE logo_url IS NOT NULL
  UNION ALL SELECT ${INSTANCE_LOGO}::uuid FROM instance_settings WHERE logo_url IS NOT NULL)`
