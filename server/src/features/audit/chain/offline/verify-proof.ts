import { type FileEntry, hasExactly, isHash, isId, isTime, readFileEntry } from '../archive/format.js'
import { hashAfter, nextHash } from '../chain.js'
import { InvalidFile } from './invalid-file.js'
import { openPersonalData } from './open-personal-data.js'
import type { Line } from './read-lines.js'
import { readPublicKeys, type SignedHead, verifySignedHead } from './signed-head.js'
import { compareHeads, type Trust } from './verify-export.js'

export interface VerifiedProof extends SignedHead {
  valid: true
  /** With readable personal data, if the file has its keys. */
  entry: FileEntry
}

const PROOF = {
  format: () => true,
  version: () => true,
  chain: isId,
  exportedAt: isTime,
  entry: (value: unknown) => readFileEntry(value) !== undefined,
  previous: isHash,
  following: (value: unknown) => Array.isArray(value) && value.every(isHash),
  checkpoint: () => true,
  keys: Array.isArray,
}

/** Verifies the proof of an entry whose format and version are known. @throws InvalidFile */
export async function verifyProof({ value }: Line, lines: AsyncIterable<Line>, trust: Trust): Promise<VerifiedProof> {
  for await (const { number: line } of lines)
    throw new InvalidFile('malformed', 'The file continues after the proof.', { line })
  const { valueKeys, ...proof } = value
  const entry = hasExactly(proof, PROOF) ? readFileEntry(proof.entry) : undefined
  const keys = trust.keys ?? readPublicKeys(value)
  if (!entry || !keys) throw new InvalidFile('malformed', 'The file is not the proof of an entry.')
  const signed = verifySignedHead(value.checkpoint, keys, 'The checkpoint of the file')
  let hash = nextHash(Buffer.from(value.previous as string, 'hex'), entry)
  for (const digest of value.following as string[]) hash = hashAfter(hash, Buffer.from(digest, 'hex'))
  if (hash.toString('hex') !== signed.head || signed.chain !== value.chain)
    throw new InvalidFile('changed', 'The entry is not the one of the signed checkpoint.', {
      seal: signed.seal,
      id: entry.id,
    })
  if (trust.checkpoint !== undefined) {
    const stored = verifySignedHead(trust.checkpoint, keys, 'The stored checkpoint')
    // A proof has the entries of no other seal.
    if (stored.chain === signed.chain && stored.seal !== signed.seal)
      throw new InvalidFile(
        'checkpoint_mismatch',
        `The stored checkpoint ends with the seal ${stored.seal}, and that of the proof with the seal ${signed.seal}: they cannot be compared. Verify an export of the log with the stored checkpoint.`,
      )
    compareHeads(stored, signed, 'stored checkpoint')
  }
  const opened = openPersonalData(entry, valueKeys, { seal: signed.seal, id: entry.id })
  const metadata = { ...entry.metadata, ...(opened.metadata as object) }
  return { valid: true, ...signed, entry: { ...(value.entry as FileEntry), ...opened, metadata } }
}
