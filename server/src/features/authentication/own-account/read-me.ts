import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { invalidAccessToken } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { showsOwnProfile } from '../../members/index.js'
import { DEFAULT_PASSWORD_POLICY, type PasswordPolicy } from '../../policies/index.js'
import type { OwnProfile } from '../../users/index.js'

type MeRow = OwnProfile & { [Field in keyof PasswordPolicy]: PasswordPolicy[Field] | null }

// $3 is the team to which the session is restricted: the session shows the profile of that team.
const field = (column: string, name: string): string =>
  `coalesce(m.${column}, CASE WHEN $3::uuid IS NULL OR ${showsOwnProfile('m', 'u')} THEN u.${column} END) AS "${name}"`
const FIELDS = [
  field('first_name', 'firstName'),
  field('last_name', 'lastName'),
  ...['department', 'title', 'phone', 'locale'].map((column) => field(column, column)),
].join(', ')

// Every page load requests it, so it is one query in addition to authentication.
const readRow = namedQuery<MeRow, [UserId, TeamId, TeamId | null]>(
  'accounts.me',
  `SELECT ${FIELDS},
     p.min_length AS "minLength", p.require_uppercase AS "requireUppercase", p.require_lowercase AS "requireLowercase",
     p.require_numbers AS "requireNumbers", p.require_symbols AS "requireSymbols", p.max_age_days AS "maxAgeDays", p.history_count AS "historyCount"
   FROM users u LEFT JOIN memberships m ON m.user_id = u.id AND m.organization_id = $3
   LEFT JOIN password_policies p ON p.organization_id = $2 WHERE u.id = $1`,
)

/**
 * Reads the part of `GET /auth/me` that authentication has not read: the profile (in a restricted session that of its team) and the password
 * policy of the team.
 * @throws invalid_access_token if the account was deleted since the request was authenticated
 */
export async function readMe(
  { db }: { db: Database },
  { userId, teamId, restrictedToTeam }: SessionActor,
): Promise<{ profile: OwnProfile; passwordPolicy: PasswordPolicy }> {
  const [row] = await db.run(readRow, [userId, teamId, restrictedToTeam])
  if (!row) throw invalidAccessToken()
  const { firstName, lastName, department, title, phone, locale, ...policy } = row
  return {
    profile: { firstName, lastName, department, title, phone, locale },
    passwordPolicy: policy.minLength === null ? DEFAULT_PASSWORD_POLICY : (policy as PasswordPolicy),
  }
}
