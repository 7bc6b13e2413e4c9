import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { isConfirmed } from '../members/index.js'
import { DEFAULT_PASSWORD_POLICY, type PasswordPolicy } from './password-policy.js'

const COLUMNS = `p.min_length AS "minLength", p.require_uppercase AS "requireUppercase", p.require_lowercase AS "requireLowercase",
  p.require_numbers AS "requireNumbers", p.require_symbols AS "requireSymbols", p.max_age_days AS "maxAgeDays", p.history_count AS "historyCount"`

const ofTeam = namedQuery<PasswordPolicy, [TeamId]>(
  'password_policy.of_team',
  `SELECT ${COLUMNS} FROM password_policies p WHERE p.organization_id = $1`,
)

/** Joined with the policy `p`, the membership `m` and the account `u` of a user's confirmed teams. */
const OF_CONFIRMED_TEAMS = `FROM memberships m JOIN password_policies p ON p.organization_id = m.organization_id JOIN users u ON u.id = m.user_id
   WHERE m.user_id = $1 AND ${isConfirmed('m', 'u')}`

// Only confirmed memberships: a team that merely added the address must not affect the account's password.
// A minimum above 64 characters applies only to the team's own passwords: a team must not make the account's unusable.
const strictest = namedQuery<{ [Field in keyof PasswordPolicy]: PasswordPolicy[Field] | null }, [UserId]>(
  'password_policy.strictest',
  `SELECT max(least(p.min_length, 64)) AS "minLength", bool_or(p.require_uppercase) AS "requireUppercase", bool_or(p.require_lowercase) AS "requireLowercase",
     bool_or(p.require_numbers) AS "requireNumbers", bool_or(p.require_symbols) AS "requireSymbols",
     min(p.max_age_days) FILTER (WHERE p.max_age_days > 0) AS "maxAgeDays", max(p.history_count) AS "historyCount"
   ${OF_CONFIRMED_TEAMS}`,
)

const ofConfirmed = namedQuery<PasswordPolicy & { teamId: TeamId }, [UserId]>(
  'password_policy.of_user',
  `SELECT m.organization_id AS "teamId", ${COLUMNS} ${OF_CONFIRMED_TEAMS} ORDER BY m.organization_id`,
)

/** Returns the stored policies of the user's confirmed teams. */
export const passwordPoliciesOf = (runner: Runner, userId: UserId): Promise<(PasswordPolicy & { teamId: TeamId })[]> =>
  runner.run(ofConfirmed, [userId])

/** Returns the policy for a team's passwords; the default if none is stored. */
export async function passwordPolicyOf(runner: Runner, teamId: TeamId): Promise<PasswordPolicy> {
  return (await runner.run(ofTeam, [teamId]))[0] ?? DEFAULT_PASSWORD_POLICY
}

/** Returns the strictest combination of the policies of a user's confirmed teams, field by field; the default if none is stored. */
export async function strictestPasswordPolicy(runner: Runner, userId: UserId): Promise<PasswordPolicy> {
  const [row] = await runner.run(strictest, [userId])
  const stored = Object.entries(row ?? {}).filter(([, value]) => value !== null)
  return { ...DEFAULT_PASSWORD_POLICY, ...(Object.fromEntries(stored) as Partial<PasswordPolicy>) }
}
