import { and, eq, lt, or } from 'drizzle-orm'
import { DAY, fromNow } from '../../platform/clock.js'
import { deletedAfter, type RetentionRule } from '../../platform/db/retention.js'
import { knownDevices, oneTimeTokens, refreshTokens, sessions, signInPlaces, teamSignIns } from './tables.js'

const KEEP_ENDED = 30 * DAY
const KEEP_TOKENS = DAY
const KEEP_DEVICES = 400 * DAY

const withoutUse = '400 days after the last sign-in'

export const SESSION_RETENTION: RetentionRule[] = [
  deletedAfter(refreshTokens, refreshTokens.expiresAt, KEEP_TOKENS, 'a day after they expire'),
  {
    table: sessions,
    deleted:
      '30 days after they end or expire; grants of applications that only expired after a day, because no page lists them',
    condition(clock) {
      const monthAgo = fromNow(clock, -KEEP_ENDED)
      const isExpiredGrant = and(eq(sessions.kind, 'grant'), lt(sessions.expiresAt, fromNow(clock, -KEEP_TOKENS)))
      return or(lt(sessions.endedAt, monthAgo), lt(sessions.expiresAt, monthAgo), isExpiredGrant)
    },
  },
  deletedAfter(oneTimeTokens, oneTimeTokens.expiresAt, KEEP_TOKENS, 'a day after they expire'),
  deletedAfter(knownDevices, knownDevices.lastSeenAt, KEEP_DEVICES, withoutUse),
  deletedAfter(signInPlaces, signInPlaces.lastSeenAt, KEEP_DEVICES, withoutUse),
  deletedAfter(teamSignIns, teamSignIns.lastSeenAt, KEEP_DEVICES, withoutUse),
]
