import { type FileBase, hasExactly, isBase, isId, isObject, isTime } from '../archive/format.js'
import type { ChainHead } from '../chain.js'
import { readSignedCheckpoint } from '../signed-checkpoint.js'
import { InvalidFile } from './invalid-file.js'
import type { Line } from './read-lines.js'
import { type PublicKeys, readPublicKeys, type SignedHead, verifySignedHead } from './signed-head.js'
import { ExportWalk } from './walk-export.js'

/** What the operator stored outside of the file. */
export interface Trust {
  /** Without keys, those of the file are used. */
  keys?: PublicKeys | undefined
  /** A signed checkpoint. */
  checkpoint?: string | undefined
}

export interface VerifiedExport extends SignedHead {
  valid: true
  /** Of the first and the last entry. */
  firstAt: string | null
  lastAt: string | null
}

const HEADER = {
  format: () => true,
  version: () => true,
  chain: isId,
  team: (value: unknown) => value === null || isObject(value),
  base: isBase,
  exportedAt: isTime,
}

/** Verifies an export whose format and version are known. @throws InvalidFile */
export async function verifyExport(header: Line, lines: AsyncIterable<Line>, trust: Trust): Promise<VerifiedExport> {
  // Files of version 1 have no base.
  const value = header.value.version === 1 ? { base: null, ...header.value } : header.value
  if (!hasExactly(value, HEADER))
    throw new InvalidFile('malformed', 'The first line is not the header of an export.', { line: header.number })
  const base = value.base as FileBase | null
  const walk = new ExportWalk(value.chain as string, base)
  const storedSeal = trust.checkpoint === undefined ? undefined : readSignedCheckpoint(trust.checkpoint)?.claims.seal
  if (typeof storedSeal === 'number' && storedSeal < walk.head.seal)
    throw new InvalidFile(
      'checkpoint_mismatch',
      `The stored checkpoint contains the seal ${storedSeal}, and the file begins after the seal ${walk.head.seal}. Verify the archive that contains it.`,
    )
  let atStored = storedSeal === walk.head.seal ? walk.head : undefined
  let last: Line | undefined
  for await (const line of lines) {
    if (last)
      throw new InvalidFile('malformed', 'The file continues after the signed checkpoint.', { line: line.number })
    if ('entry' in line.value) walk.entry(line)
    else if ('seal' in line.value) walk.seal(line)
    else last = line
    if (walk.head.seal === storedSeal) atStored = walk.head
  }
  if (!last)
    throw new InvalidFile('truncated', 'The file ends without a signed checkpoint: its last lines are missing.')
  const signed = verifyLast(last, walk, trust)
  return { valid: true, ...signed, firstAt: walk.firstAt, lastAt: walk.lastAt }

  function verifyLast(
    { number: line, value }: Line,
    { head, unsealed }: ExportWalk,
    { checkpoint }: Trust,
  ): SignedHead {
    const keys = trust.keys ?? readPublicKeys(value)
    if (!keys || Object.keys(value).join() !== 'checkpoint,keys')
      throw new InvalidFile('malformed', 'The line is not a signed checkpoint with its keys.', { line })
    const signed = verifySignedHead(value.checkpoint, keys, 'The checkpoint of the file', { line })
    compareHeads(signed, head, 'signed checkpoint')
    if (!isSameBase(signed.base, base))
      throw new InvalidFile(
        'removed',
        'The signed checkpoint names another beginning of the file: its first seals are missing.',
        {
          line: header.number,
        },
      )
    if (unsealed > 0) throw new InvalidFile('inserted', 'The file has entries after its last seal.', { line })
    if (checkpoint !== undefined)
      compareHeads(verifySignedHead(checkpoint, keys, 'The stored checkpoint'), atStored ?? head, 'stored checkpoint')
    return signed
  }
}

const isSameBase = (a: FileBase | null, b: FileBase | null): boolean =>
  a?.seal === b?.seal && a?.entries === b?.entries && a?.head === b?.head

/** @throws InvalidFile if the checkpoint names another head */
export function compareHeads(signed: ChainHead, head: ChainHead, name: string): void {
  const { seal } = signed
  if (signed.chain !== head.chain)
    throw new InvalidFile('checkpoint_mismatch', `The ${name} belongs to another chain, ${signed.chain}.`)
  if (seal > head.seal)
    throw new InvalidFile(
      'removed',
      `The ${name} contains the seal ${seal}, and the file ends with the seal ${head.seal}.`,
      {
        seal: head.seal + 1,
      },
    )
  if (seal !== head.seal || signed.entries !== head.entries || signed.head !== head.head)
    throw new InvalidFile('checkpoint_mismatch', `The entries up to the seal ${seal} are not those of the ${name}.`, {
      seal,
    })
}
