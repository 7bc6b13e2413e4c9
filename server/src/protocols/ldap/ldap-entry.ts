import type { Entry } from 'ldapts'

/** An entry of a search result. Attribute names are case-insensitive. */
export interface LdapEntry {
  dn: string
  /** Returns the values of an attribute; empty if it is absent. Values that are not valid UTF-8 are buffers. */
  values(attribute: string): (string | Buffer)[]
  /** Returns the non-empty string values, trimmed. */
  strings(attribute: string): string[]
  /** Returns the attribute names with their options (`member;range=0-1499`). */
  attributes(): string[]
}

export function ldapEntry({ dn, ...given }: Entry): LdapEntry {
  const all = new Map<string, (string | Buffer)[]>()
  for (const [name, value] of Object.entries(given)) all.set(name.toLowerCase(), Array.isArray(value) ? value : [value])
  const values = (attribute: string) => all.get(attribute.toLowerCase()) ?? []
  return {
    dn,
    values,
    strings: (attribute) =>
      values(attribute)
        .filter((value): value is string => typeof value === 'string')
        .map((value) => value.trim())
        .filter(Boolean),
    attributes: () => [...all.keys()],
  }
}
