import { timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '../../../platform/crypto/key-ring.js'
import { type ChainedEntry, nextHash, sealSignature } from './chain.js'
import type { AuditDeps } from './deps.js'
import { entriesById, type SealRow } from './repository.js'

/** A violation. `id` is null if the entry is not known. */
export interface Broken {
  id: string | null
  reason: 'changed' | 'removed' | 'inserted' | 'seal_forged' | 'checkpoint_broken' | 'counts_changed'
}

export interface VerifiedSeal {
  /** In the order of the chain. */
  entries: ChainedEntry[]
  head: Buffer
}
export type SealVerification = VerifiedSeal | { broken: Broken }

/**
 * Verifies a seal: each entry against its hash, the signature, and the head in the checkpoint that names the seal.
 * @param previous the head of the seal before
 */
export async function verifySeal(
  { db, keys }: AuditDeps,
  chain: string,
  seal: SealRow,
  previous: Buffer,
): Promise<SealVerification> {
  const stored = new Map((await db.run(entriesById, [seal.entry_ids])).map((entry) => [entry.id, entry]))
  const entries: ChainedEntry[] = []
  let head = previous
  for (const [position, id] of seal.entry_ids.entries()) {
    const entry = stored.get(id)
    if (!entry) return { broken: { id, reason: 'removed' } }
    head = nextHash(head, entry)
    if (!seal.hashes[position]?.equals(head)) return { broken: { id, reason: 'changed' } }
    entries.push(entry)
  }
  const firstId = seal.entry_ids[0] ?? null
  if (!(await isSigned(keys, seal, (key) => sealSignature(key, chain, seal.number, head))))
    return { broken: { id: firstId, reason: 'seal_forged' } }
  if (seal.named_head && !seal.named_head.equals(head)) return { broken: { id: firstId, reason: 'checkpoint_broken' } }
  return { entries, head }
}

/** Returns whether the row has the signature that the service's key with this ID computes. */
export async function isSigned(
  keys: KeyRing,
  { key_id, signature }: Pick<SealRow, 'key_id' | 'signature'>,
  sign: (key: Buffer) => Buffer,
): Promise<boolean> {
  const key = await keys.find('seal', key_id)
  const expected = key && sign(key.key)
  return expected?.length === signature.length && timingSafeEqual(signature, expected)
}
