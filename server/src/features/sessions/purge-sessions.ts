import { lt, or } from 'drizzle-orm'
import { type Clock, DAY, fromNow, HOUR } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { throttleCounters } from '../../platform/db/platform-tables.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { knownDevices, oneTimeTokens, refreshTokens, sessions } from './tables.js'

const KEEP_ENDED = 30 * DAY
const KEEP_TOKENS = DAY
const KEEP_DEVICES = 400 * DAY

/** Takes away what can open nothing any more: rows of ended sessions after a month, tokens a day after their time. */
export const purgeSessions = ({ db, clock }: { db: Database; clock: Clock }): JobKind => ({
  kind: 'sessions.purge',
  every: HOUR,
  run: async () => {
    await db.transaction(async (tx) => {
      const monthAgo = fromNow(clock, -KEEP_ENDED)
      await tx.delete(sessions).where(or(lt(sessions.endedAt, monthAgo), lt(sessions.expiresAt, monthAgo)))
      await tx.delete(refreshTokens).where(lt(refreshTokens.expiresAt, fromNow(clock, -KEEP_TOKENS)))
      await tx.delete(oneTimeTokens).where(lt(oneTimeTokens.expiresAt, fromNow(clock, -KEEP_TOKENS)))
      await tx.delete(knownDevices).where(lt(knownDevices.lastSeenAt, fromNow(clock, -KEEP_DEVICES)))
      await tx.delete(throttleCounters).where(lt(throttleCounters.windowEndsAt, fromNow(clock, -KEEP_TOKENS)))
    })
  },
})
