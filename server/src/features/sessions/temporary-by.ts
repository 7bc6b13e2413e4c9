import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { TeamId, UserId } from '../../platform/ids.js'

/**
 * Which of the credentials end that were created in a session that a temporary password, a provider or a directory started: all of the
 * user's that a temporary password started, or those in a team for which these members set the password or these editors signed the user in.
 */
export type TemporaryBy = 'anyone' | { teamId: TeamId; setBy: UserId[] }

/** Which of what acts with the permissions of a user: that in a team, or that created in a session of `TemporaryBy`. */
export type DelegatedBy = { team: TeamId } | { temporary: TemporaryBy }

/** Condition over the table of what acts with the permissions of a user: it is one of them. */
export const isDelegated = (table: Parameters<typeof isTemporary>[0], which: DelegatedBy): SQL | undefined =>
  'team' in which ? eq(table.organizationId, which.team) : isTemporary(table, which.temporary)

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
