/** "Ada Lovelace", or null for somebody who gave no name. */
export function personName(person: { firstName: string | null; lastName: string | null }): string | null {
  return [person.firstName, person.lastName].filter(Boolean).join(' ') || null
}
