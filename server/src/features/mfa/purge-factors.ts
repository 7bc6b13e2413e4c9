import { and, isNull, lt } from 'drizzle-orm'
import { type Clock, fromNow, HOUR } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { deleteInBatches } from '../../platform/db/delete-in-batches.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { ENROLLMENT_LIFETIME } from './factor-repository.js'
import { answeredChallenges, factors } from './tables.js'

/** Deletes expired enrollments and used challenges that have expired. */
export const purgeFactors = ({ db, clock }: { db: Database; clock: Clock }): JobKind => ({
  kind: 'mfa.purge',
  every: HOUR,
  delaysFirstRun: true,
  run: async () => {
    await deleteInBatches(db, answeredChallenges, lt(answeredChallenges.expiresAt, fromNow(clock, -HOUR)))
    const stale = and(isNull(factors.verifiedAt), lt(factors.createdAt, fromNow(clock, -ENROLLMENT_LIFETIME)))
    await deleteInBatches(db, factors, stale)
  },
})
