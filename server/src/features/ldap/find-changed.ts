import type { LdapPage } from '../../protocols/ldap/index.js'
import type { DirectoryDeps } from './deps.js'
import { type EntryState, entryRepository, type KnownEntry } from './entry-repository.js'
import { type EntryNames, isMachine, namesOf, once } from './map-entry.js'
import { runBatch } from './run-batch.js'
import type { Reading } from './take-users.js'

/** An entry that is to be read whole. */
export interface Changed extends Pick<EntryNames, 'key' | 'dn'> {
  /** Whether it was there before. */
  isKnown: boolean
}

/** More of them are read sooner page by page. */
const MOST_CHANGED = 1_000

/**
 * Looks at the names and marks of all entries of a kind, which says who is there, and which of them are to be read: who is new or has
 * returned, has another mark, or another name (whoever renames what is above an entry leaves its mark alone), and what was not taken over.
 * @param pages of the attributes `NAMING_ATTRIBUTES`
 * @returns undefined where they are too many to be read one by one: nothing is counted then
 */
export async function findChanged(
  deps: Pick<DirectoryDeps, 'db' | 'clock'>,
  { leased, seen }: Reading,
  kind: KnownEntry['kind'],
  pages: AsyncGenerator<LdapPage>,
): Promise<{ count: number; changed: Changed[] } | undefined> {
  const phase = kind === 'user' ? 'users' : 'groups'
  const changed = new Map<string, Changed>()
  const counted = { processed: 0, unchanged: 0, references: 0 }
  let count = 0
  for await (const { entries, references } of pages) {
    const page = once(entries.filter((entry) => !isMachine(entry)).map((entry) => namesOf(entry, deps.clock)))
    const { known, others, counts } = await runBatch(deps, leased, phase, async (tx) => {
      const repository = entryRepository(tx, leased.directory.id)
      const known = await repository.states(
        kind,
        page.map(({ key }) => key),
      )
      const others = page.filter((names) => !isAsMarked(names, known.get(names.key.toString('hex'))))
      await repository.doubtGroupsOf(
        others.flatMap(({ key, dnHash }) => namesThatMeanOther(kind, dnHash, known.get(key.toString('hex')))),
      )
      const processed = page.length - others.length
      return { known, others, counts: { processed, references, unchanged: kind === 'user' ? processed : 0 } }
    })
    for (const { no } of known.values()) seen.add(no)
    count += page.length
    for (const name of ['processed', 'unchanged', 'references'] as const) counted[name] += counts[name]
    for (const { key, dn } of others) {
      const name = key.toString('hex')
      changed.set(name, { key, dn, isKnown: known.has(name) })
    }
    if (changed.size > MOST_CHANGED) {
      const { processed, unchanged, references } = counted
      const undone = { processed: -processed, unchanged: -unchanged, references: -references }
      await runBatch(deps, leased, phase, async () => ({ counts: undone }))
      return undefined
    }
  }
  return { count, changed: [...changed.values()] }
}

/**
 * The names by which groups mean somebody else than before. A person who is new makes groups doubtful when they are taken over, which is
 * before groups are looked at: one who is refused each time must not have large groups read each time.
 */
function namesThatMeanOther(kind: KnownEntry['kind'], dnHash: Buffer, before: EntryState | undefined): Buffer[] {
  if (before && !before.dnHash.equals(dnHash)) return [before.dnHash, dnHash]
  const isNew = !before || before.goneSince !== null
  return kind === 'group' && isNew ? [dnHash] : []
}

const isAsMarked = ({ mark, dnHash }: EntryNames, known: EntryState | undefined): boolean =>
  known !== undefined &&
  known.goneSince === null &&
  known.mark !== null &&
  known.mark === mark &&
  known.dnHash.equals(dnHash)
