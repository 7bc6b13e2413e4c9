import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { TeamId, UserId } from '../../platform/ids.js'

/**
 * The credentials to revoke among those that were created in sessions by a temporary password, a provider or a directory: all of the user by
 * temporary passwords, or those in a team by passwords of these members or sign-ins of these editors.
 */
export type TemporaryScope = 'anyone' | { teamId: TeamId; setBy: UserId[] }

/** The objects with delegated permissions of a user: those in a team, or those created in a session of `TemporaryScope`. */
export type DelegatedBy = { team: TeamId } | { temporary: TemporaryScope }

/** Returns a condition on a table of objects with delegated permissions. */
export const isDelegated = (table: Parameters<typeof isTemporary>[0], which: DelegatedBy): SQL | undefined =>
  'team' in which ? eq(table.organizationId, which.team) : isTemporary(table, which.temporary)

/** Returns a condition on a table of credentials. */
export function isTemporary(
  table: { organizationId: AnyPgColumn; temporarySetBy: AnyPgColumn },
  by: TemporaryScope,
): SQL | undefined {
  if (by === 'anyone')
    return and(
      isNotNull(table.temporarySetBy),
      sql`NOT EXISTS (SELECT FROM sign_in_editors se WHERE se.id = ${table.temporarySetBy})`,
    )
  return and(eq(table.organizationId, by.teamId), inArray(table.temporarySetBy, by.setBy))
}
