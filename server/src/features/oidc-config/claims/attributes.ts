import type { Person } from './user-claims.js'

type Value = string | boolean | string[] | null

interface AttributeDefinition {
  description: string
  type: 'string' | 'boolean' | 'string[]'
  of: (person: Person) => Value
}

const text = (description: string, of: (person: Person) => string | null): AttributeDefinition => ({
  description,
  type: 'string',
  of,
})

/** The user attributes that a claim can contain. */
export const ATTRIBUTES = {
  id: text('ID of the user', (person) => person.id),
  email: text('Email address', (person) => person.email),
  emailVerified: {
    description: 'Whether the user has verified the email address',
    type: 'boolean',
    of: (person) => person.emailVerified,
  },
  firstName: text('First name', (person) => person.firstName),
  lastName: text('Last name', (person) => person.lastName),
  displayName: text('First and last name', (person) => person.displayName),
  department: text('Department', (person) => person.department),
  title: text('Job title', (person) => person.title),
  phone: text('Telephone number', (person) => person.phone),
  locale: text('Language and region, such as de-DE', (person) => person.locale),
  teamId: text("ID of the application's team", (person) => person.teamId),
  role: text('Role in the team: owner, admin, member or viewer', (person) => person.role),
  groups: {
    description: "Names of the user's groups",
    type: 'string[]',
    of: (person) => person.groups,
  },
  externalId: text("ID of the user in the team's directory", (person) => person.externalId),
} as const satisfies Record<string, AttributeDefinition>

export type Attribute = keyof typeof ATTRIBUTES

/** Returns the value of an attribute; null if it is empty. */
export function attributeOf(person: Person, attribute: Attribute): Value {
  const value: Value = ATTRIBUTES[attribute].of(person)
  return value === '' || (Array.isArray(value) && value.length === 0) ? null : value
}
