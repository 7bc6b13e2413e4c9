import { type DoubleEntry, type LdapDouble, startLdapDouble } from './ldap-double.js'

/** An entry as it is simplest to write. */
export interface ScriptedEntry {
  dn: string | Buffer
  values: Record<string, string | Buffer | (string | Buffer)[]>
}

export interface ScriptedLdap extends Pick<LdapDouble, 'port' | 'close'> {
  /** What it answers from now on. */
  people: ScriptedEntry[]
  groups: ScriptedEntry[]
}

const written = ({ dn, values }: ScriptedEntry): DoubleEntry => ({
  dn,
  attributes: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat()])),
})

/**
 * A double that gives out what it is told to, below the whole of it: people where the filter asks for `inetOrgPerson`, groups otherwise; of
 * a single name the entry of that name, or an empty one.
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
