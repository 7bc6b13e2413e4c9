import { lt } from 'drizzle-orm'
import { type Clock, HOUR } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { deleteInBatches } from '../../platform/db/delete-in-batches.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import {
  deviceCodes,
  formResponses,
  interactions,
  oauthTokens,
  pendingLogouts,
  pushedRequests,
  revokedAccessTokens,
  usedProofs,
} from './tables.js'

/** Deletes expired codes, refresh tokens, requests and proofs. */
export const purgeOidcProvider = ({ db, clock }: { db: Database; clock: Clock }): JobKind => ({
  kind: 'oidc.purge',
  every: HOUR,
  delaysFirstRun: true,
  run: async () => {
    const hourAgo = new Date(clock.ms() - HOUR)
    for (const table of [
      oauthTokens,
      interactions,
      pendingLogouts,
      pushedRequests,
      revokedAccessTokens,
      usedProofs,
      deviceCodes,
      formResponses,
    ])
      await deleteInBatches(db, table, lt(table.expiresAt, hourAgo))
  },
})
