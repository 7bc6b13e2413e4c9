import { type DoubleEntry, type LdapDouble, startLdapDouble } from './ldap-double.js'

export const AD_BASE = 'dc=example,dc=com'

interface StoredAttributes extends DoubleEntry {
  dn: string
  isGroup: boolean
}

export interface ActiveDirectory {
  port: number
  /** What was asked for, search by search, since this was last emptied. */
  asked: { base: string; isBase: boolean; attributes: string[] }[]
  /** How many times it numbers a change differently: another server of the same domain has other numbers. */
  moveTo(firstNumber: number): void
  add(name: string, attributes: DoubleEntry['attributes'], isGroup?: boolean): void
  /** Changes an entry, which gets a new mark. */
  change(name: string, attributes: DoubleEntry['attributes']): void
  remove(name: string): void
  /** Gives an entry another name; groups name it by that from now on, and keep their marks. */
  rename(name: string, to: string): void
  /** Gives what is above all people another name: none of them gets a new mark. */
  renameUnit(to: string): void
  /** Whether the filter finds an entry no longer, for what the server computes. */
  hide(name: string, isHidden: boolean): void
  nameOf(name: string): string
  /** Whether it lets nobody read groups. */
  rejectsGroups: boolean
  /** In which attributes entries have their marks from now on. */
  marks: 'usn' | 'time' | 'none'
  /** What comes before each answer to a question for one entry. */
  beforeEachRead: () => Promise<void>
  /** By which they write times. */
  now: () => Date
  close(): Promise<void>
}

const guidOf = (no: number): Buffer => {
  const guid = Buffer.alloc(16, 0xfe)
  guid.writeUInt32BE(no, 12)
  return guid
}

const written = (time: Date): string => `${time.toISOString().slice(0, 19).replace(/[-:T]/g, '')}.0Z`

/** A double that keeps entries as Active Directory does: each change counts a number up, a change of a link's other end does not. */
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
  const marked = (): DoubleEntry['attributes'] => ({
    uSNChanged: [`${++number}`],
    whenChanged: [written(directory.now())],
    modifyTimestamp: [written(directory.now())],
  })
  const relink = (before: string, after: string) => {
    for (const { attributes } of entries.values())
      if (attributes.member) attributes.member = attributes.member.map((dn) => (dn === before ? after : dn))
  }
  const MARKS: Record<string, string[]> = {
    usn: ['uSNChanged', 'whenChanged', 'modifyTimestamp'],
    time: ['modifyTimestamp'],
    none: [],
  }
  const shown = ({ dn, attributes }: StoredAttributes, wanted: string[]): DoubleEntry => ({
    dn,
    attributes: Object.fromEntries(
      Object.entries(attributes).filter(
        ([name]) => wanted.includes(name) && (!MARKS.usn?.includes(name) || MARKS[directory.marks]?.includes(name)),
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
    marks: 'usn',
    beforeEachRead: async () => {},
    now,
    nameOf: (name) => entryOf(name).dn,
    moveTo(first) {
      number = first
      for (const { attributes } of entries.values()) attributes.uSNChanged = [`${++number}`]
    },
    add(name, attributes, isGroup = false) {
      const own = { objectClass: ['top', isGroup ? 'group' : 'user'], objectGUID: [guidOf(++last)], cn: [name] }
      entries.set(name, { dn: dnOf(name, isGroup), isGroup, attributes: { ...own, ...attributes, ...marked() } })
    },
    change(name, attributes) {
      Object.assign(entryOf(name).attributes, attributes, marked())
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
      Object.assign(entry.attributes, { cn: [to] }, marked())
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
