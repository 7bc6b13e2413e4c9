import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { isConfirmed } from '../members/index.js'
import { DEFAULT_PASSWORD_POLICY, type PasswordPolicy } from './password-policy.js'

const ofTeam = namedQuery<PasswordPolicy, [TeamId]>(
  'policies.password_policy',
  `SELECT min_length AS "minLength", require_uppercase AS "requireUppercase", require_lowercase AS "requireLowercase",
     require_numbers AS "requireNumbers", require_symbols AS "requireSymbols", max_age_days AS "maxAgeDays", history_count AS "historyCount"
   FROM password_policies WHERE organization_id = $1`,
)

// Confirmed memberships alone count: a team that merely added the address has no say in the account's password.
// More than 64 characters can be asked for the team's own passwords alone, or a team could make the account's unusable.
const strictest = namedQuery<{ [Field in keyof PasswordPolicy]: PasswordPolicy[Field] | null }, [UserId]>(
  'policies.strictest_password_policy',
  `SELECT max(least(p.min_length, 64)) AS "minLength", bool_or(p.require_uppercase) AS "requireUppercase", bool_or(p.require_lowercase) AS "requireLowercase",
     bool_or(p.require_numbers) AS "requireNumbers", bool_or(p.require_symbols) AS "requireSymbols",
     min(p.max_age_days) FILTER (WHERE p.max_age_days > 0) AS "maxAgeDays", max(p.history_count) AS "historyCount"
   FROM memberships m JOIN password_policies p ON p.organization_id = m.organization_id JOIN users u ON u.id = m.user_id
   WHERE m.user_id = $1 AND ${isConfirmed('m', 'u')}`,
)

const ofConfirmed = namedQuery<PasswordPolicy & { teamId: TeamId }, [UserId]>(
  'policies.password_policies_of_user',
  `SELECT m.organization_id AS "teamId", p.min_length AS "minLength", p.require_uppercase AS "requireUppercase", p.require_lowercase AS "requireLowercase",
     p.require_numbers AS "requireNumbers", p.require_symbols AS "requireSymbols", p.max_age_days AS "maxAgeDays", p.history_count AS "historyCount"
   FROM memberships m JOIN password_policies p ON p.organization_id = m.organization_id JOIN users u ON u.id = m.user_id
   WHERE m.user_id = $1 AND ${isConfirmed('m', 'u')} ORDER BY m.organization_id`,
)

/** Returns the policies that the user's confirmed teams have stored. */
export const passwordPoliciesOf = (runner: Runner, userId: UserId): Promise<(PasswordPolicy & { teamId: TeamId })[]> =>
  runner.run(ofConfirmed, [userId])

/** The policy that a team's passwords meet; the default where the team has stored none. */
export async function passwordPolicyOf(runner: Runner, teamId: TeamId): Promise<PasswordPolicy> {
  return (await runner.run(ofTeam, [teamId]))[0] ?? DEFAULT_PASSWORD_POLICY
}

/** Of the policies of the teams that count for a user the strictest, field by field; the default where none is stored. */
export async function strictestPasswordPolicy(runner: Runner, userId: UserId): Promise<PasswordPolicy> {
  const [row] = await runner.run(strictest, [userId])
  const stored = Object.entries(row ?? {}).filter(([, value]) => value !== null)
  return { ...DEFAULT_PASSWORD_POLICY, ...(Object.fromEntries(stored) as Partial<PasswordPolicy>) }
}
