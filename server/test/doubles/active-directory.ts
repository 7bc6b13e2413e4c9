import { type DoubleEntry, type LdapDouble, startLdapDouble } from './ldap-double.js'

export const AD_BASE = 'dc=example,dc=com'

interface StoredAttributes extends DoubleEntry {
  dn: string
  isGroup: boolean
}

export interface ActiveDirectory {
  port: number
  /** The recorded searches. */
  asked: { base: string; isBase: boolean; attributes: string[] }[]
  /** Restarts the change numbers, like another server of the same domain. */
  moveTo(firstNumber: number): void
  add(name: string, attributes: DoubleEntry['attributes'], isGroup?: boolean): void
  /** Changes an entry and its change marker. */
  change(name: string, attributes: DoubleEntry['attributes']): void
  remove(name: string): void
  /** Renames an entry and updates it in groups, whose change markers remain. */
  rename(name: string, to: string): void
  /** Renames the parent of all users, whose change markers remain. */
  renameUnit(to: string): void
  /** Hides an entry from filters, like a computed attribute would. */
  hide(name: string, isHidden: boolean): void
  nameOf(name: string): string
  /** Whether reading groups is denied. */
  rejectsGroups: boolean
  /** The attributes that contain change markers. */
  markers: 'usn' | 'time' | 'none'
  /** Runs before each response to a base search. */
  beforeEachRead: () => Promise<void>
  /** The clock of its timestamps. */
  now: () => Date
  close(): Promise<void>
}

const guidOf = (no: number): Buffer => {
  const guid = Buffer.alloc(16, 0xfe)
  guid.writeUInt32BE(no, 12)
  return guid
}

const written = (time: Date): string => `${time.toISOString().slice(0, 19).replace(/[-:T]/g, '')}.0Z`

/** Starts a double with the change markers of Active Directory: each change increments a number, except changes of back-links. */
export async function startActiveDirectory(now: () => Date): Promise<ActiveDirectory> {
  const entries = new Map<string, StoredAttributes>()
  const hidden = new Set<string>()
  let unit = 'People'
  let number = 1_000
  let last = 0
  const dnOf = (name: string, isGroup: boolean) => `CN=${name},OU=${isGroup ? 'Groups' : unit},${AD_BASE}`
  const entryOf = (name: string): StoredAttributes => {
    const found = entries.get(name)
    if (!found) throw new Error(`there is no ${name}`)
    return found
  }
  const newMarkers = (): DoubleEntry['attributes'] => ({
    uSNChanged: [`${++number}`],
    whenChanged: [written(directory.now())],
    modifyTimestamp: [written(directory.now())],
  })
  const relink = (before: string, after: string) => {
    for (const { attributes } of entries.values())
      if (attributes.member) attributes.member = attributes.member.map((dn) => (dn === before ? after : dn))
  }
  const MARKER_ATTRIBUTES: Record<string, string[]> = {
    usn: ['uSNChanged', 'whenChanged', 'modifyTimestamp'],
    time: ['modifyTimestamp'],
    none: [],
  }
  const shown = ({ dn, attributes }: StoredAttributes, wanted: string[]): DoubleEntry => ({
    dn,
    attributes: Object.fromEntries(
      Object.entries(attributes).filter(
        ([name]) =>
          wanted.includes(name) &&
          (!MARKER_ATTRIBUTES.usn?.includes(name) || MARKER_ATTRIBUTES[directory.markers]?.includes(name)),
      ),
    ),
  })
  const double: LdapDouble = await startLdapDouble(async ({ base, isBase, filter, attributes }) => {
    if (isBase) await directory.beforeEachRead()
    directory.asked.push({ base, isBase, attributes })
    if (directory.rejectsGroups && filter.includes('group')) return { entries: [], code: 50 }
    const found = [...entries].filter(([name, { dn, isGroup }]) =>
      isBase ? dn === base : isGroup === filter.includes('group') && !hidden.has(name),
    )
    return {
      entries: found.map(([, entry]) => shown(entry, attributes)),
      ...(isBase && found.length === 0 && { code: 32 }),
    }
  })
  const directory: ActiveDirectory = {
    port: double.port,
    asked: [],
    rejectsGroups: false,
    markers: 'usn',
    beforeEachRead: async () => {},
    now,
    nameOf: (name) => entryOf(name).dn,
    moveTo(first) {
      number = first
      for (const { attributes } of entries.values()) attributes.uSNChanged = [`${++number}`]
    },
    add(name, attributes, isGroup = false) {
      const own = { objectClass: ['top', isGroup ? 'group' : 'user'], objectGUID: [guidOf(++last)], cn: [name] }
      entries.set(name, { dn: dnOf(name, isGroup), isGroup, attributes: { ...own, ...attributes, ...newMarkers() } })
    },
    change(name, attributes) {
      Object.assign(entryOf(name).attributes, attributes, newMarkers())
    },
    remove(name) {
      const { dn } = entryOf(name)
      entries.delete(name)
      for (const { attributes } of entries.values())
        if (attributes.member) attributes.member = attributes.member.filter((member) => member !== dn)
    },
    rename(name, to) {
      const entry = entryOf(name)
      const before = entry.dn
      entry.dn = dnOf(to, entry.isGroup)
      entries.delete(name)
      entries.set(to, entry)
      Object.assign(entry.attributes, { cn: [to] }, newMarkers())
      relink(before, entry.dn)
    },
    renameUnit(to) {
      unit = to
      for (const [name, entry] of entries) {
        if (entry.isGroup) continue
        const before = entry.dn
        entry.dn = dnOf(name, false)
        relink(before, entry.dn)
      }
    },
    hide(name, isHidden) {
      if (isHidden) hidden.add(name)
      else hidden.delete(name)
    },
    close: () => double.close(),
  }
  return directory
}
