import type { Entry } from 'ldapts'

/** An entry as it came: the names of its attributes in lower case. */
export interface LdapEntry {
  dn: string
  /** The values of an attribute; none where it is not there. Bytes that are no UTF-8 come as such. */
  values(attribute: string): (string | Buffer)[]
  /** The values that are text, without white space around, and no empty ones. */
  strings(attribute: string): string[]
  /** The names of its attributes with their options (`member;range=0-1499`). */
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
