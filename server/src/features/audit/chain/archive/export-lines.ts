import type { ChainedEntry, ChainHead } from '../chain.js'
import type { AuditDeps } from '../deps.js'
import type { SealRow } from '../repository.js'
import { publicKey, signCheckpoint } from '../signed-checkpoint.js'
import type { VerifiedSeal } from '../verify-seal.js'
import {
  EXPORT_FORMAT,
  type ExportHeader,
  type FileBase,
  FORMAT_VERSION,
  type SealLine,
  toFileEntry,
} from './format.js'
import type { ValueKeys } from './value-keys.js'

// The lines of an export (docs/concepts/audit-log.md, "Format").

export const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

/** Returns the first line. */
export function headerLine(
  { clock }: Pick<AuditDeps, 'clock'>,
  chain: string,
  team: { slug: string; name: string } | null,
  base: FileBase | undefined,
): string {
  const header: ExportHeader = {
    format: EXPORT_FORMAT,
    version: FORMAT_VERSION,
    chain,
    team: team && { slug: team.slug, name: team.name },
    base: base ?? null,
    exportedAt: clock.now().toISOString(),
  }
  return lineOf(header)
}

/**
 * Returns the lines of the entries of a seal, and of the seal.
 * @param count the number of entries from the beginning of the log, including this seal
 * @param keysOf returns the keys of the encrypted values of an entry; without it, the file has none
 */
export function linesOfSeal(
  seal: SealRow,
  { entries, head }: VerifiedSeal,
  count: number,
  keysOf?: (entry: ChainedEntry) => ValueKeys | undefined,
): string {
  const lines = entries.map((entry, position) =>
    lineOf({ entry: toFileEntry(entry), hash: seal.hashes[position]?.toString('hex'), valueKeys: keysOf?.(entry) }),
  )
  const line: SealLine = {
    number: seal.number,
    entries: count,
    head: head.toString('hex'),
    createdAt: seal.created_at.toISOString(),
  }
  return lines.join('') + lineOf({ seal: line })
}

/** Returns the last line: the head of the last seal and the base as a signed checkpoint, with its key. */
export const lastLine = (deps: Pick<AuditDeps, 'clock' | 'keys'>, head: ChainHead, base?: FileBase): string =>
  lineOf({ checkpoint: signCheckpoint(deps, { ...head, ...(base && { base }) }), keys: [publicKey(deps.keys)] })
