import type { TeamId, UserId } from '../../../platform/ids.js'
import { isConfirmed, shownAsVerified } from '../../members/index.js'
import { type UserRole, userRole } from '../../permissions/index.js'

/** What is known of a user inside a team, as far as claims can be made of it. */
export interface Person {
  id: UserId
  email: string
  emailVerified: boolean
  firstName: string | null
  lastName: string | null
  /** First and last name, as far as there are any. */
  displayName: string | null
  department: string | null
  title: string | null
  phone: string | null
  locale: string | null
  /** What the team's own directory calls the person. */
  externalId: string | null
  teamId: TeamId
  /** As the rows of `/users` show it; null for somebody who is no member of the application's team. */
  role: UserRole | null
  /** Names, sorted; read only where a claim of the application is made of them, else empty. */
  groups: string[]
  updatedAt: Date
}

/** What the standard claims are made of. */
export type Profile = Pick<
  Person,
  'id' | 'email' | 'emailVerified' | 'firstName' | 'lastName' | 'displayName' | 'locale' | 'updatedAt'
>

/** What the team writes shows before the user's own. */
const shown = (names: string[], own: (column: string) => string): string =>
  names.map((name) => `coalesce(m.${name}, ${own(`u.${name}`)}) AS ${name}`).join(', ')

/** The own profile is visible while the membership is confirmed. */
const whileConfirmed = (column: string): string => `CASE WHEN ${isConfirmed('m', 'u')} THEN ${column} END`

const profileColumns = (own: (column: string) => string): string =>
  `u.id AS user_id, u.email, ${shownAsVerified('m', 'u')} AS email_verified, ${shown(['first_name', 'last_name', 'locale'], own)},
  extract(epoch FROM greatest(${own('u.updated_at')}, m.updated_at))::float8 AS person_updated_at`

/**
 * The columns of a `Person`, of `users u`, `memberships m` and `applications a`.
 * @param own the user's own value of a column, where this reader may see it
 */
export const personColumns = (
  own: (column: string) => string,
): string => `${profileColumns(own)}, ${shown(['department', 'title', 'phone'], own)},
  m.external_id, a.organization_id AS person_team_id, m.role AS person_role,
  CASE WHEN EXISTS (SELECT 1 FROM oidc_claims gc WHERE gc.application_id = a.id AND gc.user_attribute = 'groups')
    THEN ARRAY(SELECT pg.name FROM group_members pm JOIN groups pg ON pg.id = pm.group_id
      WHERE pm.user_id = u.id AND pm.organization_id = a.organization_id ORDER BY pg.name COLLATE "C") END AS person_groups`

/** For the applications of the team: the own profile fills what the team left empty while the membership is confirmed. */
export const PERSON_COLUMNS = personColumns(whileConfirmed)

/** The same of a `Profile`, of `users u` and `memberships m`. */
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

export interface PersonRow extends ProfileRow {
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

export const personOf = (row: PersonRow): Person => ({
  ...profileOf(row),
  department: row.department,
  title: row.title,
  phone: row.phone,
  externalId: row.external_id,
  teamId: row.person_team_id,
  role: row.person_role === null ? null : userRole(row.person_role),
  groups: row.person_groups ?? [],
})

/** The claims that a scope asks for (OpenID Connect Core 5.4), as far as we have them. */
export const CLAIMS_OF_SCOPE = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'given_name', 'family_name', 'locale', 'updated_at'],
} as const

/** Every standard claim about the person; those without a value are left out. */
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
