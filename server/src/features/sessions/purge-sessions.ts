import { and, eq, lt, or } from 'drizzle-orm'
import { type Clock, DAY, fromNow, HOUR } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { deleteInBatches } from '../../platform/db/delete-in-batches.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { knownDevices, oneTimeTokens, refreshTokens, sessions, signInPlaces, teamSignIns } from './tables.js'

const KEEP_ENDED = 30 * DAY
const KEEP_TOKENS = DAY
const KEEP_DEVICES = 400 * DAY

/** Deletes ended sessions after 30 days, expired tokens after a day, and known devices after 400 days without use. */
export const purgeSessions = ({ db, clock }: { db: Database; clock: Clock }): JobKind => ({
  kind: 'sessions.purge',
  every: HOUR,
  delaysFirstRun: true,
  run: async () => {
    const monthAgo = fromNow(clock, -KEEP_ENDED)
    const dayAgo = fromNow(clock, -KEEP_TOKENS)
    await deleteInBatches(db, refreshTokens, lt(refreshTokens.expiresAt, dayAgo))
    await deleteInBatches(db, sessions, or(lt(sessions.endedAt, monthAgo), lt(sessions.expiresAt, monthAgo)))
    // Grants are numerous, and no page lists ended ones.
    await deleteInBatches(db, sessions, and(eq(sessions.kind, 'grant'), lt(sessions.expiresAt, dayAgo)))
    await deleteInBatches(db, oneTimeTokens, lt(oneTimeTokens.expiresAt, dayAgo))
    await deleteInBatches(db, knownDevices, lt(knownDevices.lastSeenAt, fromNow(clock, -KEEP_DEVICES)))
    await deleteInBatches(db, signInPlaces, lt(signInPlaces.lastSeenAt, fromNow(clock, -KEEP_DEVICES)))
    await deleteInBatches(db, teamSignIns, lt(teamSignIns.lastSeenAt, fromNow(clock, -KEEP_DEVICES)))
  },
})
