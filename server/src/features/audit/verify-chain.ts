import { timingSafeEqual } from 'node:crypto'
import type { TeamId } from '../../platform/ids.js'
import { type ChainedEntry, chainStart, INSTANCE_CHAIN, nextHash, sealSignature } from './chain.js'
import { readStatement, type Statement } from './checkpoint-statement.js'
import type { AuditDeps } from './deps.js'
import { refusal } from './errors.js'
import {
  chainCounts,
  checkpointByNumber,
  entriesById,
  firstNamed,
  lastHead,
  lostEntry,
  type SealRow,
  sealsAfter,
  strangeEntry,
} from './repository.js'
import { firstBrokenCheckpoint } from './verify-checkpoints.js'

export interface ChainReport {
  valid: boolean
  /** Entries under a seal, and entries that wait for the next one. */
  sealed: number
  pending: number
  head: string | null
  /** The newest checkpoint that names the chain. */
  checkpoint: number | null
  /** The first entry that is not as it was, in the order of the chain. */
  firstBroken: {
    id: string | null
    reason: 'changed' | 'removed' | 'inserted' | 'seal_forged' | 'checkpoint_broken' | 'counts_changed'
  } | null
}

type Broken = NonNullable<ChainReport['firstBroken']>

/**
 * Walks a whole chain and compares each entry with the hash it had when it was sealed, and the seals with the checkpoints that
 * name them; then the checkpoints from the last one that names the chain (for the instance: from the first).
 * @param teamId null for the instance's chain
 * @param kept a statement that was kept outside: the chain must still reach what it says
 * @throws checkpoint_not_genuine when `kept` is not one that this service signed for this chain
 */
export async function verifyChain(deps: AuditDeps, teamId: TeamId | null, kept?: string): Promise<ChainReport> {
  const { db, keys } = deps
  const chain: string = teamId ?? INSTANCE_CHAIN
  const stated = kept === undefined ? undefined : await statementFor(deps, chain, kept)
  // Read before the walk, which therefore must come at least as far.
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
      broken = seal.number === number + 1 ? await judgeSeal(seal) : { id: null, reason: 'removed' }
      if (broken) break
      number = seal.number
      sealed += seal.entry_ids.length
      broken = judgeStatement(seal)
      if (broken) break
    }
  }
  const reaches = Math.max(named?.seal ?? 0, stated && 'seal' in stated ? stated.seal : 0)
  if (!broken && number < reaches) broken = { id: null, reason: 'removed' }
  broken ??= await judgeCheckpoints()

  async function judgeSeal(seal: SealRow): Promise<Broken | null> {
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
    // Only seals from before the first checkpoint have no name in one.
    const mayBeUnnamed = first?.seal == null ? !first?.begun : seal.number < first.seal
    if (seal.named_head ? !seal.named_head.equals(head) : !mayBeUnnamed)
      return { id: firstId, reason: 'checkpoint_broken' }
    return null
  }

  /** When the walk is where the kept statement was made: whether it came there by the same entries. */
  function judgeStatement(seal: SealRow): Broken | null {
    if (!stated || !('seal' in stated) || stated.seal !== seal.number) return null
    const same = stated.head === head.toString('hex') && stated.entries === sealed
    return same ? null : { id: seal.entry_ids.at(-1) ?? null, reason: 'changed' }
  }

  async function judgeCheckpoints(): Promise<Broken | null> {
    const from = teamId === null ? 1 : (named?.checkpoint ?? 1)
    if ((await firstBrokenCheckpoint(deps, from)) !== undefined) return { id: null, reason: 'checkpoint_broken' }
    if (!stated || !('checkpoint' in stated)) return null
    const [found] = await db.run(checkpointByNumber, [stated.checkpoint])
    if (!found) return { id: null, reason: 'removed' }
    return found.hash.toString('hex') === stated.hash ? null : { id: null, reason: 'checkpoint_broken' }
  }

  const [counts] = await db.run(chainCounts, [teamId, chain])
  const { entries, pending, sealed: underSeal, counted } = counts ?? { entries: 0, pending: 0, sealed: 0, counted: 0 }
  const [lost] = !broken && pending > 0 ? await db.run(lostEntry, [chain]) : []
  if (lost) broken = { id: lost.id, reason: 'removed' }
  // Counting is cheap; looking for the stranger is not, and only due when the numbers do not meet.
  const [stranger] = !broken && entries > pending + underSeal ? await db.run(strangeEntry, [teamId, chain]) : []
  if (stranger) broken = { id: stranger.id, reason: 'inserted' }
  // What lists and statistics are counted by.
  if (!broken && counted !== underSeal) broken = { id: null, reason: 'counts_changed' }
  return {
    valid: broken === null,
    sealed,
    pending,
    head: sealed > 0 ? head.toString('hex') : null,
    checkpoint: named?.checkpoint ?? null,
    firstBroken: broken,
  }
}

/** What is said of all chains together (a line of the log) is said of the instance's. */
async function statementFor({ keys }: AuditDeps, chain: string, text: string): Promise<Statement> {
  const stated = await readStatement(keys, text)
  const isOfChain = stated && ('chain' in stated ? stated.chain === chain : chain === INSTANCE_CHAIN)
  if (!isOfChain) throw refusal('checkpoint_not_genuine')
  return stated
}
