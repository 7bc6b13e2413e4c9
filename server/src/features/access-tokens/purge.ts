import { lt, or } from 'drizzle-orm'
import { DAY, fromNow } from '../../platform/clock.js'
import type { RetentionRule } from '../../platform/db/retention.js'
import { apiTokens, scimTokens } from './tables.js'

const KEEP_ENDED = 90 * DAY

export const TOKEN_RETENTION: RetentionRule[] = [apiTokens, scimTokens].map((table) => ({
  table,
  deleted: '90 days after they are revoked or expire',
  condition(clock) {
    const past = fromNow(clock, -KEEP_ENDED)
    return or(lt(table.revokedAt, past), lt(table.expiresAt, past))
  },
}))
