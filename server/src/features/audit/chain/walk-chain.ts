import type { KeyRing } from '../../../platform/crypto/key-ring.js'
import { retryLater } from '../../../platform/errors.js'
import type { TeamId } from '../../../platform/ids.js'
import {
  CHECKPOINTS_START,
  chainStart,
  checkpointHash,
  checkpointSignature,
  INSTANCE_CHAIN,
  sealSignature,
} from './chain.js'
import type { AuditDeps } from './deps.js'
import {
  type BaseRow,
  baseOfChain,
  type CheckpointRow,
  chainCounts,
  checkpointByNumber,
  checkpointsFrom,
  firstNamed,
  insertedEntry,
  lastCheckpoint,
  lastHead,
  lostEntry,
  type SealRow,
  sealsAfter,
} from './repository.js'
import { type Broken, isSigned, type SealVerification, type VerifiedSeal, verifySeal } from './verify-seal.js'

export interface ChainReport {
  valid: boolean
  /** Sealed entries, and entries that wait for the next seal. */
  sealed: number
  pending: number
  /** Entries before them that retention removed. */
  removed: number
  head: string | null
  /** The newest checkpoint that names the chain. */
  checkpoint: number | null
  /** The first violation in the order of the chain. */
  firstBroken: Broken | null
}

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
 * @param onSeal receives each valid seal with its entries, in order
 * @throws unavailable if retention removed seals that `onSeal` had to receive
 */
export async function walkChain(
  deps: AuditDeps,
  teamId: TeamId | null,
  onSeal?: (seal: SealRow, verified: VerifiedSeal) => Promise<void>,
): Promise<ChainWalk> {
  const { db } = deps
  const chain: string = teamId ?? INSTANCE_CHAIN
  // Read before the walk, which must reach at least this seal.
  const [named] = await db.run(lastHead, [chain])
  const [first] = await db.run(firstNamed, [chain])
  const [base] = await db.run(baseOfChain, [chain])
  let head = base?.head ?? chainStart(chain)
  let sealed = 0
  let number = base?.seal ?? 0
  let broken: Broken | null =
    base && !(await isBaseValid(deps, chain, base)) ? { id: null, reason: 'seal_forged' } : null

  while (!broken) {
    const seals = await db.run(sealsAfter, [chain, number])
    if (seals.length === 0) break
    for (const seal of seals) {
      const verified: SealVerification =
        seal.number === number + 1
          ? await verifySeal(deps, chain, seal, head)
          : { broken: { id: null, reason: 'removed' } }
      broken = 'broken' in verified ? verified.broken : unnamed(seal)
      if ('broken' in verified || broken) break
      number = seal.number
      sealed += seal.entry_ids.length
      head = verified.head
      await onSeal?.(seal, verified)
    }
  }
  const brokenSeal = broken
  if (!broken && number < (named?.seal ?? 0)) broken = { id: null, reason: 'removed' }
  broken ??= await verifyCheckpoints()
  // Retention has removed seals during the walk.
  if (broken && (await db.run(baseOfChain, [chain]))[0]?.seal !== base?.seal) {
    if (onSeal) throw retryLater('unavailable', 1)
    return walkChain(deps, teamId)
  }
  const brokenChain = broken

  /** Only seals before the first checkpoint are named by none. */
  function unnamed({ number, named_head, entry_ids }: SealRow): Broken | null {
    const mayBeUnnamed = first?.seal == null ? !first?.has_checkpoints : number < first.seal
    return named_head || mayBeUnnamed ? null : { id: entry_ids[0] ?? null, reason: 'checkpoint_broken' }
  }

  async function verifyCheckpoints(): Promise<Broken | null> {
    const from = teamId === null ? 1 : (named?.checkpoint ?? 1)
    return (await areCheckpointsValid(deps, from)) ? null : { id: null, reason: 'checkpoint_broken' }
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
    removed: base?.entries ?? 0,
    head: sealed > 0 || base ? head.toString('hex') : null,
    checkpoint: named?.checkpoint ?? null,
    firstBroken: broken,
  }
  return { report, reached: number, brokenSeal, brokenChain }
}

/** Returns whether the chain begins after a seal of the service that a checkpoint names, and whose removal is recorded. */
const isBaseValid = async ({ keys }: AuditDeps, chain: string, base: BaseRow): Promise<boolean> =>
  base.is_recorded &&
  base.named_head?.equals(base.head) === true &&
  (await isSigned(keys, base, (key) => sealSignature(key, chain, base.seal, base.head)))

/** Verifies the number, hash and signature of each checkpoint from `from` to the newest. The hash covers the heads of all chains. */
async function areCheckpointsValid({ db, keys }: AuditDeps, from: number): Promise<boolean> {
  // Read before the loop: a checkpoint that is written during the verification must not be reported as missing.
  const [newest] = await db.run(lastCheckpoint, [])
  let number = from - 1
  let [previous] = number === 0 ? [{ hash: CHECKPOINTS_START }] : await db.run(checkpointByNumber, [number])
  for (;;) {
    const rows = await db.run(checkpointsFrom, [number + 1])
    for (const row of rows) {
      if (!previous || row.number !== number + 1 || !(await isCheckpointValid(keys, row, previous.hash))) return false
      number = row.number
      previous = row
    }
    if (rows.length === 0) return number >= (newest?.number ?? 0)
  }
}

async function isCheckpointValid(keys: KeyRing, row: CheckpointRow, previousHash: Buffer): Promise<boolean> {
  const heads = row.heads.map(([chain, seal, entries, head]) => ({ chain, seal, entries, head }))
  const hash = checkpointHash(previousHash, row.number, row.created_at, heads)
  return row.hash.equals(hash) && (await isSigned(keys, row, (key) => checkpointSignature(key, row.number, hash)))
}
