import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId } from '../../platform/ids.js'

/**
 * SQL: whether a team is the home team of an email address: the team that has verified its domain by DNS. Domains match exactly, without
 * subdomains.
 * @param teamId an expression for the team's ID, such as `m.organization_id`
 * @param email an expression for the normalized email address, such as `u.email`
 */
export const isHomeTeam = (teamId: string, email: string): string =>
  `EXISTS (SELECT 1 FROM team_domains hd WHERE hd.domain = split_part(${email}, '@', -1) AND hd.verified_at IS NOT NULL AND hd.organization_id = ${teamId})`

const findHomeTeam = namedQuery<{ teamId: TeamId }, [string]>(
  'organizations.home_team_of',
  `SELECT organization_id AS "teamId" FROM team_domains WHERE domain = split_part($1, '@', -1) AND verified_at IS NOT NULL`,
)

/** Returns the home team of a normalized email address, if there is one. Runs in the caller's transaction. */
export async function homeTeamOf(tx: Transaction, email: string): Promise<TeamId | undefined> {
  return (await tx.run(findHomeTeam, [email]))[0]?.teamId
}
