import { and, eq, inArray, isNotNull, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { TeamId, UserId } from '../../platform/ids.js'

/**
 * Which of the credentials end that were created in a session that a temporary password started: all of the user's, or those in a team for
 * which these members set the password.
 */
export type TemporaryBy = 'anyone' | { teamId: TeamId; setBy: UserId[] }

/** Condition over the table of a credential: it is one of them. */
export function isTemporary(
  table: { organizationId: AnyPgColumn; temporarySetBy: AnyPgColumn },
  by: TemporaryBy,
): SQL | undefined {
  if (by === 'anyone') return isNotNull(table.temporarySetBy)
  return and(eq(table.organizationId, by.teamId), inArray(table.temporarySetBy, by.setBy))
}
