import type { LdapPage } from '../../../protocols/ldap/index.js'
import { type EntryNames, isComputerAccount, namesOf, uniqueByKey } from '../model/map-entry.js'
import type { EntryState, KnownEntry } from './entry-repository.js'
import { phaseOf, runBatch } from './run-batch.js'
import type { RunningSync } from './running-sync.js'

/** An entry that must be read with all its attributes. */
export interface Changed extends Pick<EntryNames, 'key' | 'dn'> {
  /** Whether the entry was present before. */
  isKnown: boolean
}

/** Above this number of changed entries, a full paged search is faster. */
const MAX_CHANGED = 1_000

/**
 * Reads the names and change markers of all entries of one kind. They show which entries exist and which must be read: new or returned
 * entries, entries with another change marker or name, and entries that could not be applied before. Renaming a parent entry does not
 * change the markers of the entries below it.
 * @param pages pages with the attributes `NAMING_ATTRIBUTES`
 * @returns undefined if too many entries changed to read them individually; the counts are then reverted
 */
export async function findChanged(
  sync: RunningSync,
  kind: KnownEntry['kind'],
  pages: AsyncGenerator<LdapPage>,
): Promise<{ count: number; changed: Changed[] } | undefined> {
  const phase = phaseOf(kind)
  const changed = new Map<string, Changed>()
  const counted = { processed: 0, unchanged: 0, references: 0 }
  let count = 0
  for await (const { entries, references } of pages) {
    const named = entries.filter((entry) => !isComputerAccount(entry)).map((entry) => namesOf(entry, sync.deps.clock))
    const page = uniqueByKey(named)
    const { known, others, counts } = await runBatch(sync, phase, async ({ entries }) => {
      const known = await entries.states(kind, page)
      const others = page.filter((names) => !hasSameMarker(names, known.get(names)))
      await entries.clearMarkersOfGroupsListing(
        others.flatMap((names) => namesToRecheck(kind, names.dnHash, known.get(names))),
      )
      const processed = page.length - others.length
      return { known, others, counts: { processed, references, unchanged: kind === 'user' ? processed : 0 } }
    })
    for (const { no } of known.all) sync.seen.add(no)
    count += page.length
    for (const name of ['processed', 'unchanged', 'references'] as const) counted[name] += counts[name]
    for (const { key, dn } of others)
      changed.set(key.toString('hex'), { key, dn, isKnown: known.get({ key }) !== undefined })
    if (changed.size > MAX_CHANGED) {
      const { processed, unchanged, references } = counted
      const undone = { processed: -processed, unchanged: -unchanged, references: -references }
      await runBatch(sync, phase, async () => ({ counts: undone }))
      return undefined
    }
  }
  return { count, changed: [...changed.values()] }
}

/**
 * Returns the member names that now refer to another entry. A new user's names are handled when the user is applied, which precedes the
 * groups. Otherwise an entry that is rejected on each sync would have large groups read on each sync.
 */
function namesToRecheck(kind: KnownEntry['kind'], dnHash: Buffer, before: EntryState | undefined): Buffer[] {
  if (before && !before.dnHash.equals(dnHash)) return [before.dnHash, dnHash]
  const isNew = !before || before.goneSince !== null
  return kind === 'group' && isNew ? [dnHash] : []
}

const hasSameMarker = ({ changeMarker, dnHash }: EntryNames, known: EntryState | undefined): boolean =>
  known !== undefined &&
  known.goneSince === null &&
  known.changeMarker !== null &&
  known.changeMarker === changeMarker &&
  known.dnHash.equals(dnHash)
