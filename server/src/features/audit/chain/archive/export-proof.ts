import { type AuditEntryId, parseId, type TeamId } from '../../../../platform/ids.js'
import { rejection } from '../../errors.js'
import { type ChainedEntry, chainStart, entryDigest, INSTANCE_CHAIN } from '../chain.js'
import { chainOfEntry, headOfSeal, sealOfEntry } from '../repository.js'
import { publicKey, signCheckpoint } from '../signed-checkpoint.js'
import { type Broken, verifySeal } from '../verify-seal.js'
import { type FileEntry, FORMAT_VERSION, PROOF_FORMAT, toFileEntry } from './format.js'
import { readValueKeys } from './read-value-keys.js'
import { type ExportDeps, recordExport, sealNow } from './seal-now.js'
import type { ValueKeys } from './value-keys.js'

/** The proof that a chain contains an entry. */
export interface EntryProof {
  format: typeof PROOF_FORMAT
  version: typeof FORMAT_VERSION
  chain: string
  exportedAt: string
  entry: FileEntry
  /** The keys of its encrypted values. */
  valueKeys?: ValueKeys
  /** Hexadecimal hash before the entry. */
  previous: string
  /** Hexadecimal digests of the entries after it in its seal, in order: they lead from the hash of the entry to the head of the seal. */
  following: string[]
  /** The head of the seal as a signed checkpoint, and the public keys (RFC 7517) that verify it. */
  checkpoint: string
  keys: ReturnType<typeof publicKey>[]
}

/**
 * Creates the proof of an entry. Records `audit.exported` in the log of the entry, and seals the entry first if it is pending. Verifies
 * the seal, because a signature over a changed seal would make the change genuine.
 * @param withPersonalData as of `exportChain`
 * @returns a violation if the entry cannot be proven: `inserted` for an entry that is neither sealed nor pending; undefined if the entry
 *   is still pending, because another node seals
 * @throws audit_entry_not_found, also for a malformed ID
 */
export async function exportProof(
  deps: ExportDeps,
  id: string,
  withPersonalData = true,
): Promise<EntryProof | { broken: Broken } | undefined> {
  const { db, clock, keys } = deps
  const known = parseId<AuditEntryId>(id)
  const [found] = known ? await db.run(chainOfEntry, [known]) : []
  if (!known || !found) throw rejection('audit_entry_not_found')
  const { chain } = found
  await recordExport(deps, chain === INSTANCE_CHAIN ? null : (chain as TeamId), { format: PROOF_FORMAT, entry: known })
  if (found.is_pending) await sealNow(deps, chain)
  const [seal] = await db.run(sealOfEntry, [chain, known])
  if (!seal) {
    const [now] = await db.run(chainOfEntry, [known])
    return now?.is_pending ? undefined : { broken: { id: known, reason: 'inserted' } }
  }
  const [before] = seal.number > 1 ? await db.run(headOfSeal, [chain, seal.number - 1]) : []
  const start = before ? Buffer.from(before.head, 'hex') : chainStart(chain)
  const verified = await verifySeal(deps, chain, seal, start)
  if ('broken' in verified) return verified
  const position = seal.entry_ids.indexOf(known)
  const entries = (before?.entries ?? 0) + verified.entries.length
  const entry = verified.entries[position] as ChainedEntry
  const valueKeys = withPersonalData ? (await readValueKeys(db, deps.envelope, [entry]))(entry) : undefined
  const head = { chain, seal: seal.number, entries, head: verified.head.toString('hex') }
  return {
    format: PROOF_FORMAT,
    version: FORMAT_VERSION,
    chain,
    exportedAt: clock.now().toISOString(),
    entry: toFileEntry(entry),
    ...(valueKeys && { valueKeys }),
    previous: (seal.hashes[position - 1] ?? start).toString('hex'),
    following: verified.entries.slice(position + 1).map((entry) => entryDigest(entry).toString('hex')),
    checkpoint: signCheckpoint(deps, head),
    keys: [publicKey(keys)],
  }
}
