import { lt } from 'drizzle-orm'
import { type Clock, DAY, fromNow, HOUR } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { deleteInBatches } from '../../platform/db/delete-in-batches.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { ssoAttempts, ssoSeenMessages, ssoSignIns } from './tables.js'

const RECORDED_FOR = 30 * DAY

/** Deletes expired sign-ins, expired message IDs, and entries of the sign-in log after 30 days. */
export const purgeSso = ({ db, clock }: { db: Database; clock: Clock }): JobKind => ({
  kind: 'sso.purge',
  every: HOUR,
  delaysFirstRun: true,
  run: async () => {
    await deleteInBatches(db, ssoAttempts, lt(ssoAttempts.expiresAt, fromNow(clock, -HOUR)))
    // Another node's clock may be behind this one's.
    await deleteInBatches(db, ssoSeenMessages, lt(ssoSeenMessages.expiresAt, fromNow(clock, -HOUR)))
    await deleteInBatches(db, ssoSignIns, lt(ssoSignIns.createdAt, fromNow(clock, -RECORDED_FOR)))
  },
})
