import { type DoubleEntry, type LdapDouble, startLdapDouble } from './ldap-double.js'

/** An entry in a short notation. */
export interface ScriptedEntry {
  dn: string | Buffer
  values: Record<string, string | Buffer | (string | Buffer)[]>
}

export interface ScriptedLdap extends Pick<LdapDouble, 'port' | 'close'> {
  /** The current entries; may be replaced. */
  people: ScriptedEntry[]
  groups: ScriptedEntry[]
}

const written = ({ dn, values }: ScriptedEntry): DoubleEntry => ({
  dn,
  attributes: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat()])),
})

/**
 * Starts a double that returns the scripted entries for every base: users if the filter contains `inetOrgPerson`, otherwise groups. A
 * base search returns the entry with that DN, or an empty one.
 */
export async function startScriptedLdap(
  given: Partial<Pick<ScriptedLdap, 'people' | 'groups'>> = {},
): Promise<ScriptedLdap> {
  const script = { people: [] as ScriptedEntry[], groups: [] as ScriptedEntry[], ...given }
  const named = (name: string) => [...script.people, ...script.groups].find(({ dn }) => dn.toString() === name)
  const { port, close } = await startLdapDouble(({ base, isBase, filter }) => {
    const all = filter.includes('inetOrgPerson') ? script.people : script.groups
    const found = isBase ? [named(base) ?? { dn: base, values: { objectClass: 'top' } }] : all
    return { entries: found.map(written) }
  })
  return Object.assign(script, { port, close })
}
