import { timingSafeEqual } from 'node:crypto'
import { CHECKPOINTS_START, checkpointHash, checkpointSignature } from './chain.js'
import type { AuditDeps } from './deps.js'
import { type CheckpointRow, checkpointByNumber, checkpointsFrom, lastCheckpoint } from './repository.js'

/**
 * Verifies the number, hash and signature of each checkpoint from `from` to the newest. The hash covers the heads of all chains.
 * @returns the number of the first changed or removed checkpoint; undefined if all are valid
 */
export async function firstBrokenCheckpoint(
  { db, keys }: Pick<AuditDeps, 'db' | 'keys'>,
  from: number,
): Promise<number | undefined> {
  // Read before the loop: a checkpoint that is written during the verification must not be reported as missing.
  const [newest] = await db.run(lastCheckpoint, [])
  let number = from - 1
  let [previous] = number === 0 ? [{ hash: CHECKPOINTS_START }] : await db.run(checkpointByNumber, [number])
  for (;;) {
    const rows = await db.run(checkpointsFrom, [number + 1])
    for (const row of rows) {
      if (!previous || row.number !== number + 1 || !(await isValid(row, previous.hash))) return number + 1
      number = row.number
      previous = row
    }
    if (rows.length === 0) break
  }
  return number < (newest?.number ?? 0) ? number + 1 : undefined

  async function isValid(row: CheckpointRow, previousHash: Buffer): Promise<boolean> {
    const heads = row.heads.map(([chain, seal, entries, head]) => ({ chain, seal, entries, head }))
    const hash = checkpointHash(previousHash, row.number, row.created_at, heads)
    const key = await keys.find('seal', row.key_id)
    const signature = key && checkpointSignature(key.key, row.number, hash)
    const signed = signature?.length === row.signature.length && timingSafeEqual(signature, row.signature)
    return signed && row.hash.equals(hash)
  }
}
