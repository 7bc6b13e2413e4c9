import { sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import { type AccessToken, SCIM_TOKENS, tokenRepository } from '../../access-tokens/index.js'
import { groups } from '../../groups/index.js'
import { memberships } from '../../members/index.js'
import { users } from '../../users/index.js'
import type { ScimDeps } from '../model/deps.js'
import { scimGroups, scimUsers } from '../tables.js'
import { MEMBER_COLUMNS } from '../users/user-columns.js'

/** The number of resources of a team that SCIM clients have written. */
interface Written extends Record<string, unknown> {
  users: number
  /** Those of the users that are not active. */
  suspended: number
  groups: number
}

/** Returns all SCIM tokens of the team, newest first, and what their clients have written. */
export const listScimTokens = (
  { db }: Pick<ScimDeps, 'db'>,
  { teamId }: Actor,
): Promise<{ tokens: AccessToken[]; written: Written }> =>
  db.transaction(async (tx) => ({
    tokens: await tokenRepository(tx, SCIM_TOKENS, teamId).list(),
    written: await countWritten(tx, teamId),
  }))

/**
 * Counts the users and groups of the team that SCIM clients have created or changed. Former members are not counted. Runs in the caller's
 * transaction.
 */
async function countWritten(tx: Transaction, teamId: TeamId): Promise<Written> {
  const { rows } = await tx.execute<Written>(
    sql`SELECT count(*)::int AS users, count(*) FILTER (WHERE NOT ${MEMBER_COLUMNS.active})::int AS suspended,
        (SELECT count(*)::int FROM ${groups} g JOIN ${scimGroups} x ON x.group_id = g.id WHERE g.organization_id = ${teamId}) AS groups
      FROM ${memberships} m JOIN ${users} u ON u.id = m.user_id JOIN ${scimUsers} s ON s.membership_id = m.id
      WHERE m.organization_id = ${teamId}`,
  )
  return rows[0] ?? { users: 0, suspended: 0, groups: 0 }
}
