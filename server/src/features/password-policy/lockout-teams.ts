import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId } from '../../platform/ids.js'
import { byDefault, confirmedOf, isConfirmed } from '../members/index.js'
import { isHomeTeam } from '../teams/index.js'

/** A team of an account, with the fields that count the account's failed sign-ins. */
export interface LockoutTeam {
  id: TeamId
  /** The result of `isConfirmed`. */
  confirmed: boolean
  isHome: boolean
  /** Whether the account created the team and still administers it. */
  isCreator: boolean
  role: string
  teamStatus: string
  /** The stored value; null if the team has none. */
  lockoutThreshold: number | null
  lockoutDuration: number | null
}

/** Further confirmed teams are read only for a correct password. */
export const MAX_CONFIRMED_TEAMS = 10

const teamsOf = namedQuery<LockoutTeam, [string, TeamId[], boolean]>(
  'password_policy.lockout_teams',
  `SELECT m.organization_id AS id, m.confirmed, m.home AS "isHome", o.created_by IS NOT DISTINCT FROM m.user_id AND m.role IN ('OWNER', 'SUPER_ADMIN') AS "isCreator", m.role, o.status AS "teamStatus",
     p.lockout_threshold AS "lockoutThreshold", p.lockout_minutes AS "lockoutDuration"
   FROM (
     SELECT DISTINCT a.* FROM users u CROSS JOIN LATERAL (
       (SELECT n.id, n.user_id, n.organization_id, n.role, n.last_unrestricted_use_at, n.created_at, ${isConfirmed('n', 'u')} AS confirmed, ${isHomeTeam('n.organization_id', 'u.email')} AS home FROM memberships n
        WHERE n.user_id = u.id AND n.organization_id = ANY($2::uuid[]))
       UNION ALL
       (SELECT c.id, c.user_id, c.organization_id, c.role, c.last_unrestricted_use_at, c.created_at, true, ${isHomeTeam('c.organization_id', 'u.email')} FROM ${confirmedOf('u')} c
        WHERE $3 ORDER BY ${byDefault('c')} LIMIT ${MAX_CONFIRMED_TEAMS})) a
     WHERE u.email = $1) m
   JOIN organizations o ON o.id = m.organization_id
   LEFT JOIN password_policies p ON p.organization_id = m.organization_id
   ORDER BY ${byDefault('m')}`,
)

/**
 * Returns teams of the account with this email address, with their lockout values: the listed ones, and for a sign-in without a team the
 * confirmed ones, at most ten, in the order of preference. The number of rows read is bounded, however many teams add the account. An
 * unknown address costs the same read and returns none.
 * @param ids teams to return, if the account is a member
 * @param withConfirmed whether to return confirmed teams
 */
export const lockoutTeamsOf = (
  runner: Runner,
  email: string,
  ids: readonly TeamId[],
  withConfirmed: boolean,
): Promise<LockoutTeam[]> => runner.run(teamsOf, [email, [...ids], withConfirmed])
