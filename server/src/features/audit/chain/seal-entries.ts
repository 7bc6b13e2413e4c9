import type { Transaction } from '../../../platform/db/database.js'
import type { Logger } from '../../../platform/log.js'
import { type ChainedEntry, type ChainHead, chainStart, nextHash, sealSignature } from './chain.js'
import { type Checkpoint, writeCheckpoint } from './checkpoint.js'
import type { AuditDeps } from './deps.js'
import { deletePending, insertSeal, lastHead, lastSealAfter, lockSealer, pendingEntries } from './repository.js'
import { signCheckpoint } from './signed-checkpoint.js'

const BATCH = 2_000

/**
 * Seals pending entries chain by chain until none is left, with one checkpoint per batch. Runs as a job on one node at a time. Each
 * checkpoint is logged too, so that external log storage contains it.
 */
export async function sealEntries(deps: AuditDeps & { log: Logger }): Promise<void> {
  for (let count = BATCH; count === BATCH; ) {
    const batch = await deps.db.transaction((tx) => sealBatch(tx, deps))
    if (batch.checkpoint) {
      const { number, hash, heads } = batch.checkpoint
      const statement = signCheckpoint(deps, { checkpoint: number, hash: hash.toString('hex') })
      deps.log.info({ checkpoint: number, chains: heads.length, statement }, 'audit checkpoint')
    }
    count = batch.count
  }
}

async function sealBatch(tx: Transaction, deps: AuditDeps): Promise<{ count: number; checkpoint?: Checkpoint }> {
  const [lock] = await tx.run(lockSealer, [])
  if (!lock?.is_acquired) return { count: 0 }
  const rows = await tx.run(pendingEntries, [BATCH])
  if (rows.length === 0) return { count: 0 }
  const chains = new Map<string, ChainedEntry[]>()
  for (const row of rows) {
    const chain = chains.get(row.chain)
    if (chain) chain.push(row)
    else chains.set(row.chain, [row])
  }
  const seals: Seal[] = []
  for (const [chain, entries] of chains) seals.push(await sealOf(tx, chain, entries))
  // The database accepts a seal only if a checkpoint names it.
  const checkpoint = await writeCheckpoint(
    tx,
    deps,
    seals.map(({ head }) => head),
  )
  const { id, key } = deps.keys.current('seal')
  for (const { entries, hashes, head } of seals) {
    const signature = sealSignature(key, head.chain, head.seal, Buffer.from(head.head, 'hex'))
    const ids = entries.map((entry) => entry.id)
    await tx.run(insertSeal, {
      chain: head.chain,
      number: head.seal,
      entryIds: ids,
      hashes,
      signature,
      keyId: id,
      createdAt: deps.clock.now(),
    })
  }
  await tx.run(deletePending, [rows.map((entry) => entry.id)])
  return { count: rows.length, checkpoint }
}

interface Seal {
  entries: ChainedEntry[]
  hashes: Buffer[]
  head: ChainHead
}

/** Returns the next seal of the chain. It continues from the last checkpoint, even if later seals were deleted. */
async function sealOf(tx: Transaction, chain: string, entries: ChainedEntry[]): Promise<Seal> {
  const [named] = await tx.run(lastHead, [chain])
  const [unnamed] = await tx.run(lastSealAfter, [chain, named?.seal ?? 0])
  const last = unnamed ?? named
  let hash = last ? Buffer.from(last.head, 'hex') : chainStart(chain)
  const hashes = entries.map((entry) => {
    hash = nextHash(hash, entry)
    return hash
  })
  const head = {
    chain,
    seal: (last?.seal ?? 0) + 1,
    entries: (last?.entries ?? 0) + entries.length,
    head: hash.toString('hex'),
  }
  return { entries, hashes, head }
}
