import { timingSafeEqual } from 'node:crypto'
import type { TeamId } from '../../../platform/ids.js'
import { type ChainedEntry, chainStart, INSTANCE_CHAIN, nextHash, sealSignature } from './chain.js'
import type { AuditDeps } from './deps.js'
import {
  chainCounts,
  entriesById,
  firstNamed,
  insertedEntry,
  lastHead,
  lostEntry,
  type SealRow,
  sealsAfter,
} from './repository.js'
import { firstBrokenCheckpoint } from './verify-checkpoints.js'

export interface ChainReport {
  valid: boolean
  /** Sealed entries, and entries that wait for the next seal. */
  sealed: number
  pending: number
  head: string | null
  /** The newest checkpoint that names the chain. */
  checkpoint: number | null
  /** The first violation in the order of the chain. */
  firstBroken: {
    id: string | null
    reason: 'changed' | 'removed' | 'inserted' | 'seal_forged' | 'checkpoint_broken' | 'counts_changed'
  } | null
}

type Broken = NonNullable<ChainReport['firstBroken']>

export interface ChainWalk {
  report: ChainReport
  /** The number of the last valid seal. */
  reached: number
  /** A violation in the sealed entries. */
  brokenSeal: Broken | null
  /** A violation in the seals or checkpoints, before the counts are compared. */
  brokenChain: Broken | null
}

/**
 * Verifies a whole chain: each entry against its hash at sealing, the seals against the checkpoints that name them, and the
 * checkpoints from the last one that names the chain (for the instance: from the first).
 * @param teamId null for the instance's chain
 */
export async function walkChain(deps: AuditDeps, teamId: TeamId | null): Promise<ChainWalk> {
  const { db, keys } = deps
  const chain: string = teamId ?? INSTANCE_CHAIN
  // Read before the walk, which must reach at least this seal.
  const [named] = await db.run(lastHead, [chain])
  const [first] = await db.run(firstNamed, [chain])
  let head = chainStart(chain)
  let sealed = 0
  let number = 0
  let broken: Broken | null = null

  while (!broken) {
    const seals = await db.run(sealsAfter, [chain, number])
    if (seals.length === 0) break
    for (const seal of seals) {
      broken = seal.number === number + 1 ? await verifySeal(seal) : { id: null, reason: 'removed' }
      if (broken) break
      number = seal.number
      sealed += seal.entry_ids.length
    }
  }
  const brokenSeal = broken
  if (!broken && number < (named?.seal ?? 0)) broken = { id: null, reason: 'removed' }
  broken ??= await verifyCheckpoints()
  const brokenChain = broken

  async function verifySeal(seal: SealRow): Promise<Broken | null> {
    const entries = new Map((await db.run(entriesById, [seal.entry_ids])).map((entry) => [entry.id, entry]))
    for (const [position, id] of seal.entry_ids.entries()) {
      const entry: ChainedEntry | undefined = entries.get(id)
      if (!entry) return { id, reason: 'removed' }
      head = nextHash(head, entry)
      if (!seal.hashes[position]?.equals(head)) return { id, reason: 'changed' }
    }
    const key = await keys.find('seal', seal.key_id)
    const expected = key && sealSignature(key.key, chain, seal.number, head)
    const genuine = expected?.length === seal.signature.length && timingSafeEqual(seal.signature, expected)
    const firstId = seal.entry_ids[0] ?? null
    if (!genuine) return { id: firstId, reason: 'seal_forged' }
    // Only seals before the first checkpoint are named by none.
    const mayBeUnnamed = first?.seal == null ? !first?.begun : seal.number < first.seal
    if (seal.named_head ? !seal.named_head.equals(head) : !mayBeUnnamed)
      return { id: firstId, reason: 'checkpoint_broken' }
    return null
  }

  async function verifyCheckpoints(): Promise<Broken | null> {
    const from = teamId === null ? 1 : (named?.checkpoint ?? 1)
    const isBroken = (await firstBrokenCheckpoint(deps, from)) !== undefined
    return isBroken ? { id: null, reason: 'checkpoint_broken' } : null
  }

  const [counts] = await db.run(chainCounts, [teamId, chain])
  const { entries, pending, sealed: underSeal, counted } = counts ?? { entries: 0, pending: 0, sealed: 0, counted: 0 }
  const [lost] = !broken && pending > 0 ? await db.run(lostEntry, [chain]) : []
  if (lost) broken = { id: lost.id, reason: 'removed' }
  // Counting is cheap. The search for an inserted entry is not, and only runs if the counts differ.
  const [inserted] = !broken && entries > pending + underSeal ? await db.run(insertedEntry, [teamId, chain]) : []
  if (inserted) broken = { id: inserted.id, reason: 'inserted' }
  // The counts of lists and statistics.
  if (!broken && counted !== underSeal) broken = { id: null, reason: 'counts_changed' }
  const report = {
    valid: broken === null,
    sealed,
    pending,
    head: sealed > 0 ? head.toString('hex') : null,
    checkpoint: named?.checkpoint ?? null,
    firstBroken: broken,
  }
  return { report, reached: number, brokenSeal, brokenChain }
}
