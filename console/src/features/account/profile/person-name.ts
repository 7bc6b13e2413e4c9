/** Returns a name such as "Ada Lovelace", or null without one. */
export function personName(person: { firstName: string | null; lastName: string | null }): string | null {
  return [person.firstName, person.lastName].filter(Boolean).join(' ') || null
}
