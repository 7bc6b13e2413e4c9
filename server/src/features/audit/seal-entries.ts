import type { Clock } from '../../platform/clock.js'
import type { KeyRing } from '../../platform/crypto/key-ring.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import { type ChainedEntry, chainStart, nextHash, sealSignature } from './chain.js'
import { deletePending, insertSeal, lastSeal, pendingEntries, takeSealerTurn } from './repository.js'

export interface AuditDeps {
  db: Database
  clock: Clock
  keys: KeyRing
}

const BATCH = 2_000

/** Brings pending entries under a seal, chain by chain, until none is left. Run as a job; of two nodes the second leaves the work to the first. */
export async function sealEntries(deps: AuditDeps): Promise<void> {
  while ((await deps.db.transaction((tx) => sealBatch(tx, deps))) === BATCH);
}

async function sealBatch(tx: Transaction, { clock, keys }: AuditDeps): Promise<number> {
  const [turn] = await tx.run(takeSealerTurn, [])
  if (!turn?.taken) return 0
  const rows = await tx.run(pendingEntries, [BATCH])
  const chains = new Map<string, ChainedEntry[]>()
  for (const row of rows) {
    const chain = chains.get(row.chain)
    if (chain) chain.push(row)
    else chains.set(row.chain, [row])
  }
  for (const [chain, entries] of chains) {
    const [last] = await tx.run(lastSeal, [chain])
    const number = (last?.number ?? 0) + 1
    let head = last?.head ?? chainStart(chain)
    const hashes = entries.map((entry) => {
      head = nextHash(head, entry)
      return head
    })
    const key = keys.current('seal')
    await tx.run(insertSeal, [
      chain,
      number,
      entries.map(({ id }) => id),
      hashes,
      sealSignature(key.key, chain, number, head),
      key.id,
      clock.now(),
    ])
  }
  if (rows.length > 0) await tx.run(deletePending, [rows.map(({ id }) => id)])
  return rows.length
}
