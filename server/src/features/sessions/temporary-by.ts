import { and, eq, inArray, isNotNull, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { OriginId, TeamId } from '../../platform/ids.js'
import { isColumnSetByMember } from '../members/index.js'

/**
 * Selects credentials by the session in which they were created. `anyone`: every session with a temporary password. Otherwise those of these
 * origins in the team.
 */
export type TemporaryScope = 'anyone' | { teamId: TeamId; origins: OriginId[] }

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
  if (by === 'anyone') return and(isNotNull(table.temporarySetBy), isColumnSetByMember(table.temporarySetBy))
  return and(eq(table.organizationId, by.teamId), inArray(table.temporarySetBy, by.origins))
}
