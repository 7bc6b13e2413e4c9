import type { Transaction } from '../../../platform/db/database.js'
import { CHECKPOINTS_START, type ChainHead, checkpointHash, checkpointSignature } from './chain.js'
import type { AuditDeps } from './deps.js'
import { allHeads, insertCheckpoint, insertHeads, lastCheckpoint } from './repository.js'

export interface Checkpoint {
  number: number
  hash: Buffer
  heads: ChainHead[]
}

/** Writes the next checkpoint with the heads of the extended chains; the first one includes all chains. Runs in the caller's transaction. */
export async function writeCheckpoint(
  tx: Transaction,
  { clock, keys }: AuditDeps,
  extended: ChainHead[],
): Promise<Checkpoint> {
  const [last] = await tx.run(lastCheckpoint, [])
  const isExtended = new Set(extended.map(({ chain }) => chain))
  const others = last?.number ? [] : (await tx.run(allHeads, [])).filter(({ chain }) => !isExtended.has(chain))
  const heads = [...extended, ...others]
  const number = (last?.number ?? 0) + 1
  const createdAt = clock.now()
  const hash = checkpointHash(last?.hash ?? CHECKPOINTS_START, number, createdAt, heads)
  const key = keys.current('seal')
  await tx.run(insertCheckpoint, {
    number,
    hash,
    signature: checkpointSignature(key.key, number, hash),
    keyId: key.id,
    createdAt,
  })
  await tx.run(insertHeads, {
    checkpoint: number,
    chains: heads.map(({ chain }) => chain),
    seals: heads.map(({ seal }) => seal),
    entries: heads.map(({ entries }) => entries),
    heads: heads.map(({ head }) => Buffer.from(head, 'hex')),
  })
  return { number, hash, heads }
}
