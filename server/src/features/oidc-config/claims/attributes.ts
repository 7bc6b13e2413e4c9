import type { UserAttributes } from './user-claims.js'

type Value = string | boolean | string[] | null

interface AttributeDefinition {
  description: string
  type: 'string' | 'boolean' | 'string[]'
  of: (user: UserAttributes) => Value
}

const text = (description: string, of: (user: UserAttributes) => string | null): AttributeDefinition => ({
  description,
  type: 'string',
  of,
})

/** The user attributes that a claim can contain. */
export const ATTRIBUTES = {
  id: text('ID of the user', (user) => user.id),
  email: text('Email address', (user) => user.email),
  emailVerified: {
    description: 'Whether the user has verified the email address',
    type: 'boolean',
    of: (user) => user.emailVerified,
  },
  firstName: text('First name', (user) => user.firstName),
  lastName: text('Last name', (user) => user.lastName),
  displayName: text('First and last name', (user) => user.displayName),
  department: text('Department', (user) => user.department),
  title: text('Job title', (user) => user.title),
  phone: text('Telephone number', (user) => user.phone),
  locale: text('Language and region, such as de-DE', (user) => user.locale),
  teamId: text("ID of the application's team", (user) => user.teamId),
  role: text('Role in the team: owner, admin, member or viewer', (user) => user.role),
  groups: {
    description: "Names of the user's groups",
    type: 'string[]',
    of: (user) => user.groups,
  },
  externalId: text("ID of the user in the team's directory", (user) => user.externalId),
} as const satisfies Record<string, AttributeDefinition>

export type Attribute = keyof typeof ATTRIBUTES

/** Returns the value of an attribute; null if it is empty. */
export function attributeOf(user: UserAttributes, attribute: Attribute): Value {
  const value: Value = ATTRIBUTES[attribute].of(user)
  return value === '' || (Array.isArray(value) && value.length === 0) ? null : value
}
