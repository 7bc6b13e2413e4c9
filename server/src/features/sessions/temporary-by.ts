import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { TeamId, UserId } from '../../platform/ids.js'

/**
 * Which of the credentials end that were created in a session that a temporary password, a provider or a directory started: all of the
 * user's that a temporary password started, or those in a team for which these members set the password or these editors signed the user in.
 */
export type TemporaryBy = 'anyone' | { teamId: TeamId; setBy: UserId[] }

/** Condition over the table of a credential: it is one of them. */
export function isTemporary(
  table: { organizationId: AnyPgColumn; temporarySetBy: AnyPgColumn },
  by: TemporaryBy,
): SQL | undefined {
  if (by === 'anyone')
    return and(
      isNotNull(table.temporarySetBy),
      sql`NOT EXISTS (SELECT FROM sign_in_editors se WHERE se.id = ${table.temporarySetBy})`,
    )
  return and(eq(table.organizationId, by.teamId), inArray(table.temporarySetBy, by.setBy))
}
