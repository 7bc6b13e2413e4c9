import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { TeamId, UserId } from '../../platform/ids.js'

/**
 * Selects credentials by the session in which they were created. `anyone`: every session with a temporary password. Otherwise sessions in the
 * team, with a password that one of the members in `setBy` set, or through a provider or directory that one of them edited last.
 */
export type TemporaryScope = 'anyone' | { teamId: TeamId; setBy: UserId[] }

/** Selects objects with a user's delegated permissions: those of a team, or those created in the sessions of a `TemporaryScope`. */
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
