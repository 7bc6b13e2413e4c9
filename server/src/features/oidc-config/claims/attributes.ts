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

/** What a claim can be made of. */
export const ATTRIBUTES = {
  id: text('Id of the user', (person) => person.id),
  email: text('Email address', (person) => person.email),
  emailVerified: {
    description: 'Whether the address was proven to be theirs',
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
  teamId: text("Id of the application's team", (person) => person.teamId),
  role: text('Role in the team: owner, admin, member or viewer', (person) => person.role),
  groups: {
    description: 'Names of the groups that the user is in',
    type: 'string[]',
    of: (person) => person.groups,
  },
  externalId: text("Id of the user in the team's own directory", (person) => person.externalId),
} as const satisfies Record<string, AttributeDefinition>

export type Attribute = keyof typeof ATTRIBUTES

/** The value of an attribute; null where there is none. */
export function attributeOf(person: Person, attribute: Attribute): Value {
  const value: Value = ATTRIBUTES[attribute].of(person)
  return value === '' || (Array.isArray(value) && value.length === 0) ? null : value
}
