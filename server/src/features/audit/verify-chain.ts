import { timingSafeEqual } from 'node:crypto'
import type { TeamId } from '../../platform/ids.js'
import { type ChainedEntry, chainStart, nextHash, sealSignature } from './chain.js'
import { chainCounts, entriesById, lostEntry, type SealRow, sealsAfter, strangeEntry } from './repository.js'
import type { AuditDeps } from './seal-entries.js'

export interface ChainReport {
  valid: boolean
  /** Entries under a seal, and entries that wait for the next one. */
  sealed: number
  pending: number
  head: string | null
  /** The first entry that is not as it was, in the order of the chain. */
  firstBroken: { id: string | null; reason: 'changed' | 'removed' | 'inserted' | 'seal_forged' } | null
}

type Broken = NonNullable<ChainReport['firstBroken']>

/** Walks the whole chain of a team and compares each entry with the hash it had when it was sealed. */
export async function verifyChain({ db, keys }: AuditDeps, teamId: TeamId): Promise<ChainReport> {
  const chain: string = teamId
  let head = chainStart(chain)
  let sealed = 0
  let number = 0
  let broken: Broken | null = null

  for (;;) {
    const seals = await db.run(sealsAfter, [chain, number])
    if (seals.length === 0 || broken) break
    for (const seal of seals) {
      broken = seal.number === number + 1 ? await judgeSeal(seal) : { id: null, reason: 'removed' }
      if (broken) break
      number = seal.number
      sealed += seal.entry_ids.length
    }
  }

  async function judgeSeal(seal: SealRow): Promise<Broken | null> {
    const entries = new Map((await db.run(entriesById, [seal.entry_ids])).map((entry) => [entry.id, entry]))
    for (const [position, id] of seal.entry_ids.entries()) {
      const entry: ChainedEntry | undefined = entries.get(id)
      if (!entry) return { id, reason: 'removed' }
      head = nextHash(head, entry)
      if (!seal.hashes[position]?.equals(head)) return { id, reason: 'changed' }
    }
    const key = await keys.find('seal', seal.key_id)
    const genuine = key && timingSafeEqual(seal.signature, sealSignature(key.key, chain, seal.number, head))
    return genuine ? null : { id: seal.entry_ids[0] ?? null, reason: 'seal_forged' }
  }

  const [counts] = await db.run(chainCounts, [teamId])
  const { entries, pending, sealed: underSeal } = counts ?? { entries: 0, pending: 0, sealed: 0 }
  const [lost] = !broken && pending > 0 ? await db.run(lostEntry, [teamId]) : []
  if (lost) broken = { id: lost.id, reason: 'removed' }
  // Counting is cheap; looking for the stranger is not, and only due when the numbers do not meet.
  const [stranger] = !broken && entries > pending + underSeal ? await db.run(strangeEntry, [teamId]) : []
  if (stranger) broken = { id: stranger.id, reason: 'inserted' }
  return {
    valid: broken === null,
    sealed,
    pending,
    head: sealed > 0 ? head.toString('hex') : null,
    firstBroken: broken,
  }
}
