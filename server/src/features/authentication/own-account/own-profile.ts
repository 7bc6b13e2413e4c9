import { namedQuery } from '../../../platform/db/named-query.js'
import { invalidAccessToken } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { lockMembership, showsOwnProfile, updateMembership } from '../../members/index.js'
import { DEFAULT_PASSWORD_POLICY, type PasswordPolicy } from '../../password-policy/index.js'
import { requireActiveSession } from '../../sessions/index.js'
import { lockUser, type OwnProfile, ownProfile, writeOwnProfile } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'

type MeRow = OwnProfile & { [Field in keyof PasswordPolicy]: PasswordPolicy[Field] | null }

// $3 is the team to which the session is restricted, or null. A restricted session shows the profile of its team.
const profileField = (column: string, name: string): string =>
  `coalesce(m.${column}, CASE WHEN $3::uuid IS NULL OR ${showsOwnProfile('m', 'u')} THEN u.${column} END) AS "${name}"`
const PROFILE_FIELDS = [
  profileField('first_name', 'firstName'),
  profileField('last_name', 'lastName'),
  ...['department', 'title', 'phone', 'locale'].map((column) => profileField(column, column)),
].join(', ')

// The console calls `GET /auth/me` on every page load, so the endpoint runs only this query after authentication.
const readRow = namedQuery<MeRow, [UserId, TeamId, TeamId | null]>(
  'accounts.me',
  `SELECT ${PROFILE_FIELDS},
     p.min_length AS "minLength", p.require_uppercase AS "requireUppercase", p.require_lowercase AS "requireLowercase",
     p.require_numbers AS "requireNumbers", p.require_symbols AS "requireSymbols", p.max_age_days AS "maxAgeDays", p.history_count AS "historyCount"
   FROM users u LEFT JOIN memberships m ON m.user_id = u.id AND m.organization_id = $3
   LEFT JOIN password_policies p ON p.organization_id = $2 WHERE u.id = $1`,
)

/**
 * Returns the profile and the team's password policy for `GET /auth/me`. The other fields of the response are already in the actor. In a
 * restricted session it is the profile of that team.
 * @throws invalid_access_token if the account was deleted after the request was authenticated
 */
export async function readMe({ db }: AccountDeps, { userId, teamId, restrictedToTeam }: SessionActor) {
  const [row] = await db.run(readRow, [userId, teamId, restrictedToTeam])
  if (!row) throw invalidAccessToken()
  const { firstName, lastName, department, title, phone, locale, ...policy } = row
  return {
    profile: { firstName, lastName, department, title, phone, locale },
    passwordPolicy: policy.minLength === null ? DEFAULT_PASSWORD_POLICY : (policy as PasswordPolicy),
  }
}

const profileIn = ({ firstName, lastName, department, title, phone, locale }: OwnProfile): OwnProfile => ({
  firstName,
  lastName,
  department,
  title,
  phone,
  locale,
})

/**
 * Changes the given fields of the caller's own profile; null clears a field. A restricted session changes the profile of its team instead.
 */
export function changeOwnProfile(
  { db, clock, audit }: AccountDeps,
  actor: SessionActor,
  change: Partial<OwnProfile>,
): Promise<OwnProfile> {
  return db.transaction(async (tx) => {
    // The account may have been deleted since the request was authenticated.
    if (!(await lockUser(tx, actor.userId))) throw invalidAccessToken()
    await requireActiveSession(tx, clock, actor)
    const membership = actor.restrictedToTeam
      ? await lockMembership(tx, actor.restrictedToTeam, actor.userId)
      : undefined
    const before = membership ? profileIn(membership) : await ownProfile(tx, actor.userId)
    const fields = Object.keys(change) as (keyof OwnProfile)[]
    const changed = fields.filter((field) => change[field] !== before[field])
    if (changed.length === 0) return before
    if (membership) await updateMembership(tx, membership, { ...change, updatedAt: clock.now() })
    else await writeOwnProfile(tx, clock, actor.userId, change)
    await audit.record(tx, actor, 'user.profile_changed', {
      resource: `user:${actor.userId}`,
      metadata: { changed: changed.sort() },
    })
    return { ...before, ...change }
  })
}
