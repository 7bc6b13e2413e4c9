import type { TeamId, UserId } from '../../../platform/ids.js'
import { shownAsVerified, showsOwnProfile } from '../../members/index.js'
import { type UserRole, userRole } from '../../permissions/index.js'

/** The attributes of a user in a team that claims can contain. */
export interface Person {
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
  /** The role as `/users` returns it; null for a user who is not a member of the application's team. */
  role: UserRole | null
  /** Sorted group names; empty unless a claim of the application contains them. */
  groups: string[]
  updatedAt: Date
}

/** The attributes of the standard claims. */
export type Profile = Pick<
  Person,
  'id' | 'email' | 'emailVerified' | 'firstName' | 'lastName' | 'displayName' | 'locale' | 'updatedAt'
>

/** SQL: a value of the team takes precedence over the user's own profile. */
const shown = (names: string[], own: (column: string) => string): string =>
  names.map((name) => `coalesce(m.${name}, ${own(`u.${name}`)}) AS ${name}`).join(', ')

/** SQL: the own profile is visible only in a team that may show it. */
const whileConfirmed = (column: string): string => `CASE WHEN ${showsOwnProfile('m', 'u')} THEN ${column} END`

const profileColumns = (own: (column: string) => string): string =>
  `u.id AS user_id, u.email, ${shownAsVerified('m', 'u')} AS email_verified, ${shown(['first_name', 'last_name', 'locale'], own)},
  extract(epoch FROM greatest(${own('u.updated_at')}, m.updated_at))::float8 AS person_updated_at`

/**
 * SQL: the columns of a `Person` from `users u`, `memberships m` and `applications a`.
 * @param own returns the expression for a column of the own profile, which may hide it from this reader
 */
export const userAttributeColumns = (
  own: (column: string) => string,
): string => `${profileColumns(own)}, ${shown(['department', 'title', 'phone'], own)},
  m.external_id, a.organization_id AS person_team_id, m.role AS person_role,
  CASE WHEN EXISTS (SELECT 1 FROM oidc_claims gc WHERE gc.application_id = a.id AND gc.user_attribute = 'groups')
    THEN ARRAY(SELECT pg.name FROM group_members pm JOIN groups pg ON pg.id = pm.group_id
      WHERE pm.user_id = u.id AND pm.organization_id = a.organization_id ORDER BY pg.name COLLATE "C") END AS person_groups`

/** SQL: the columns of a `Person` for applications of the team. With a confirmed membership, the own profile fills empty values. */
export const USER_ATTRIBUTE_COLUMNS = userAttributeColumns(whileConfirmed)

/** SQL: the columns of a `Profile` from `users u` and `memberships m`. */
export const PROFILE_COLUMNS = profileColumns(whileConfirmed)

export interface ProfileRow {
  user_id: UserId
  email: string
  email_verified: boolean
  first_name: string | null
  last_name: string | null
  locale: string | null
  person_updated_at: number
}

export interface UserAttributesRow extends ProfileRow {
  department: string | null
  title: string | null
  phone: string | null
  external_id: string | null
  person_team_id: TeamId
  person_role: string | null
  person_groups: string[] | null
}

export const profileOf = (row: ProfileRow): Profile => ({
  id: row.user_id,
  email: row.email,
  emailVerified: row.email_verified,
  firstName: row.first_name,
  lastName: row.last_name,
  displayName: [row.first_name, row.last_name].filter(Boolean).join(' ') || null,
  locale: row.locale,
  updatedAt: new Date(row.person_updated_at * 1_000),
})

export const userAttributesOf = (row: UserAttributesRow): Person => ({
  ...profileOf(row),
  department: row.department,
  title: row.title,
  phone: row.phone,
  externalId: row.external_id,
  teamId: row.person_team_id,
  role: row.person_role === null ? null : userRole(row.person_role),
  groups: row.person_groups ?? [],
})

/** The supported claims of each scope (OpenID Connect Core 5.4). */
export const CLAIMS_OF_SCOPE = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'given_name', 'family_name', 'locale', 'updated_at'],
} as const

/** Returns all standard claims of the user that have a value. */
export function claimsOf(person: Profile): Record<string, unknown> {
  const { displayName, firstName, lastName, locale } = person
  return {
    sub: person.id,
    email: person.email,
    email_verified: person.emailVerified,
    ...(displayName && { name: displayName }),
    ...(firstName && { given_name: firstName }),
    ...(lastName && { family_name: lastName }),
    ...(locale && { locale }),
    updated_at: Math.floor(person.updatedAt.getTime() / 1_000),
  }
}
