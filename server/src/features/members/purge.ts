import { and, eq, lt, ne, or } from 'drizzle-orm'
import { DAY, fromNow } from '../../platform/clock.js'
import type { RetentionRule } from '../../platform/db/retention.js'
import { invitations } from './tables.js'

const KEEP_CLOSED = 90 * DAY

export const MEMBER_RETENTION: RetentionRule[] = [
  {
    table: invitations,
    deleted: '90 days after they are accepted or revoked, or expire',
    condition(clock) {
      const past = fromNow(clock, -KEEP_CLOSED)
      return or(
        and(ne(invitations.status, 'PENDING'), lt(invitations.updatedAt, past)),
        and(eq(invitations.status, 'PENDING'), lt(invitations.expiresAt, past)),
      )
    },
  },
]
