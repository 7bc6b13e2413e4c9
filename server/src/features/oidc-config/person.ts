import type { UserId } from '../../platform/ids.js'

/** What is known of a user inside a team, as far as claims can be made of it. */
export interface Person {
  id: UserId
  email: string
  emailVerified: boolean
  firstName: string | null
  lastName: string | null
  locale: string | null
  updatedAt: Date
}

/** The columns of a `Person`, of `users u` and `memberships m`: what the team writes shows before the user's own. */
export const PERSON_COLUMNS = `u.id AS user_id, u.email, u.email_verified_at IS NOT NULL AS email_verified,
  coalesce(m.first_name, u.first_name) AS first_name, coalesce(m.last_name, u.last_name) AS last_name, m.locale,
  extract(epoch FROM greatest(u.updated_at, m.updated_at))::float8 AS person_updated_at`

export interface PersonRow {
  user_id: UserId
  email: string
  email_verified: boolean
  first_name: string | null
  last_name: string | null
  locale: string | null
  person_updated_at: number
}

export const personOf = (row: PersonRow): Person => ({
  id: row.user_id,
  email: row.email,
  emailVerified: row.email_verified,
  firstName: row.first_name,
  lastName: row.last_name,
  locale: row.locale,
  updatedAt: new Date(row.person_updated_at * 1_000),
})

/** The claims that a scope asks for (OpenID Connect Core 5.4), as far as we have them. */
export const CLAIMS_OF_SCOPE = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'given_name', 'family_name', 'locale', 'updated_at'],
} as const

/** Every claim about the person; those without a value are left out. */
export function claimsOf(person: Person): Record<string, unknown> {
  const { firstName, lastName, locale } = person
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return {
    sub: person.id,
    email: person.email,
    email_verified: person.emailVerified,
    ...(name && { name }),
    ...(firstName && { given_name: firstName }),
    ...(lastName && { family_name: lastName }),
    ...(locale && { locale }),
    updated_at: Math.floor(person.updatedAt.getTime() / 1_000),
  }
}
