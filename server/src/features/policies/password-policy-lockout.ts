import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId } from '../../platform/ids.js'
import { isConfirmed } from '../members/index.js'
import { isHomeTeam } from '../organizations/index.js'

/** A team of an account, as whoever counts the account's failures needs to know it. */
export interface LockoutTeam {
  id: TeamId
  /** As `isConfirmed` says. */
  confirmed: boolean
  isHome: boolean
  /** Of the membership. */
  status: 'pending' | 'active' | 'suspended'
  role: string
  teamStatus: string
  /** What the team has stored; null where it has stored nothing. */
  lockoutThreshold: number | null
  lockoutDuration: number | null
}

const teamsOf = namedQuery<LockoutTeam, [string]>(
  'policies.lockout_teams',
  `SELECT m.organization_id AS id, ${isConfirmed('m', 'u')} AS confirmed, ${isHomeTeam('m.organization_id', 'u.email')} AS "isHome", m.status, m.role, o.status AS "teamStatus",
     p.lockout_threshold AS "lockoutThreshold", p.lockout_minutes AS "lockoutDuration"
   FROM users u JOIN memberships m ON m.user_id = u.id JOIN organizations o ON o.id = m.organization_id
   LEFT JOIN password_policies p ON p.organization_id = m.organization_id WHERE u.email = $1
   ORDER BY m.last_unrestricted_use_at DESC NULLS LAST, m.created_at, m.id`,
)

/**
 * Returns the teams of the account with this email address in the order in which a sign-in that names none prefers them, and the lockout
 * values of each; none for an unknown address, by the same read.
 */
export const lockoutTeamsOf = (runner: Runner, email: string): Promise<LockoutTeam[]> => runner.run(teamsOf, [email])
