import type { TeamId, UserId } from '../../../platform/ids.js'
import { showsEmailAsVerified, showsOwnProfile } from '../../members/index.js'
import { type UserRole, userRole } from '../../permissions/index.js'

/** The attributes of a user, as a team sees them, that claims can contain. */
export interface UserAttributes {
  id: UserId
  email: string
  emailVerified: boolean
  firstName: string | null
  lastName: string | null
  /** First and last name, or the one that is set. */
  displayName: string | null
  department: string | null
  title: string | null
  phone: string | null
  locale: string | null
  /** ID of the user in the team's directory. */
  externalId: string | null
  teamId: TeamId
  /** The role in the form that `GET /users` returns; null if the user is not a member of the application's team. */
  role: UserRole | null
  /** The names of the user's groups, sorted; empty if no claim of the application uses them. */
  groups: string[]
  updatedAt: Date
}

/** The attributes that the standard claims contain (OpenID Connect Core 5.1). */
export type Profile = Pick<
  UserAttributes,
  'id' | 'email' | 'emailVerified' | 'firstName' | 'lastName' | 'displayName' | 'locale' | 'updatedAt'
>

/** SQL: profile columns in which a value of the team takes precedence over the user's own profile. */
const teamOrOwnColumns = (names: string[], ownColumn: (column: string) => string): string =>
  names.map((name) => `coalesce(m.${name}, ${ownColumn(`u.${name}`)}) AS ${name}`).join(', ')

/** SQL: the own profile is visible only in a team that may show it. */
const visibleOwnColumn = (column: string): string => `CASE WHEN ${showsOwnProfile('m', 'u')} THEN ${column} END`

const profileColumns = (ownColumn: (column: string) => string): string =>
  `u.id AS user_id, u.email, ${showsEmailAsVerified('m', 'u')} AS email_verified, ${teamOrOwnColumns(['first_name', 'last_name', 'locale'], ownColumn)},
  extract(epoch FROM greatest(${ownColumn('u.updated_at')}, m.updated_at))::float8 AS claim_updated_at`

/**
 * SQL: the columns of a `UserAttributesRow` from `users u`, `memberships m` and `applications a`.
 * @param ownColumn returns the SQL expression for a column of the own profile: the column itself, or NULL where the reader must not see it
 */
export const userAttributeColumns = (
  ownColumn: (column: string) => string,
): string => `${profileColumns(ownColumn)}, ${teamOrOwnColumns(['department', 'title', 'phone'], ownColumn)},
  m.external_id, a.organization_id AS claim_team_id, m.role AS claim_role,
  CASE WHEN EXISTS (SELECT 1 FROM oidc_claims gc WHERE gc.application_id = a.id AND gc.user_attribute = 'groups')
    THEN ARRAY(SELECT pg.name FROM group_members pm JOIN groups pg ON pg.id = pm.group_id
      WHERE pm.user_id = u.id AND pm.organization_id = a.organization_id ORDER BY pg.name COLLATE "C") END AS claim_groups`

/**
 * SQL: the columns of a `UserAttributesRow` for applications of the team. If the membership is confirmed, the own profile replaces values that
 * the team has not set.
 */
export const USER_ATTRIBUTE_COLUMNS = userAttributeColumns(visibleOwnColumn)

/** SQL: the columns of a `ProfileRow` from `users u` and `memberships m`. */
export const PROFILE_COLUMNS = profileColumns(visibleOwnColumn)

export interface ProfileRow {
  user_id: UserId
  email: string
  email_verified: boolean
  first_name: string | null
  last_name: string | null
  locale: string | null
  claim_updated_at: number
}

export interface UserAttributesRow extends ProfileRow {
  department: string | null
  title: string | null
  phone: string | null
  external_id: string | null
  claim_team_id: TeamId
  claim_role: string | null
  claim_groups: string[] | null
}

export const toProfile = (row: ProfileRow): Profile => ({
  id: row.user_id,
  email: row.email,
  emailVerified: row.email_verified,
  firstName: row.first_name,
  lastName: row.last_name,
  displayName: [row.first_name, row.last_name].filter(Boolean).join(' ') || null,
  locale: row.locale,
  updatedAt: new Date(row.claim_updated_at * 1_000),
})

export const toUserAttributes = (row: UserAttributesRow): UserAttributes => ({
  ...toProfile(row),
  department: row.department,
  title: row.title,
  phone: row.phone,
  externalId: row.external_id,
  teamId: row.claim_team_id,
  role: row.claim_role === null ? null : userRole(row.claim_role),
  groups: row.claim_groups ?? [],
})

/** The supported claims of each scope (OpenID Connect Core 5.4). */
export const CLAIMS_BY_SCOPE = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'given_name', 'family_name', 'locale', 'updated_at'],
} as const

/** Returns all standard claims of the user that have a value. */
export function standardClaimsOf(profile: Profile): Record<string, unknown> {
  const { displayName, firstName, lastName, locale } = profile
  return {
    sub: profile.id,
    email: profile.email,
    email_verified: profile.emailVerified,
    ...(displayName && { name: displayName }),
    ...(firstName && { given_name: firstName }),
    ...(lastName && { family_name: lastName }),
    ...(locale && { locale }),
    updated_at: Math.floor(profile.updatedAt.getTime() / 1_000),
  }
}
