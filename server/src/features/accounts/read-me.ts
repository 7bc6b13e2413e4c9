import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { OwnProfile } from '../identities/index.js'
import { DEFAULT_PASSWORD_POLICY, type PasswordPolicy } from '../policies/index.js'

type MeRow = OwnProfile & { [Field in keyof PasswordPolicy]: PasswordPolicy[Field] | null }

// Asked by every page that opens: one read beside that of the authentication.
const readRow = namedQuery<MeRow, [UserId, TeamId]>(
  'accounts.me',
  `SELECT u.first_name AS "firstName", u.last_name AS "lastName", u.department, u.title, u.phone, u.locale,
     p.min_length AS "minLength", p.require_uppercase AS "requireUppercase", p.require_lowercase AS "requireLowercase",
     p.require_numbers AS "requireNumbers", p.require_symbols AS "requireSymbols", p.max_age_days AS "maxAgeDays", p.history_count AS "historyCount"
   FROM users u LEFT JOIN password_policies p ON p.organization_id = $2 WHERE u.id = $1`,
)

/**
 * What `GET /auth/me` shows beside what the authentication has read: what the caller writes about themselves (what a team writes
 * about them stands before it inside that team), and the rules that passwords meet in the team.
 * @throws invalid_access_token for an account that was deleted since the request was let in
 */
export async function readMe(
  { db }: { db: Database },
  { userId, teamId }: SessionActor,
): Promise<{ profile: OwnProfile; passwordPolicy: PasswordPolicy }> {
  const [row] = await db.run(readRow, [userId, teamId])
  if (!row) throw invalidAccessToken()
  const { firstName, lastName, department, title, phone, locale, ...policy } = row
  return {
    profile: { firstName, lastName, department, title, phone, locale },
    passwordPolicy: policy.minLength === null ? DEFAULT_PASSWORD_POLICY : (policy as PasswordPolicy),
  }
}
