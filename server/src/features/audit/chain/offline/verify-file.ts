import { EXPORT_FORMAT, FORMAT_VERSION, PROOF_FORMAT, READABLE_VERSIONS } from '../archive/format.js'
import { InvalidFile, type InvalidReason, type Place } from './invalid-file.js'
import { type Line, readLines } from './read-lines.js'
import { type Trust, type VerifiedExport, verifyExport } from './verify-export.js'
import { type VerifiedProof, verifyProof } from './verify-proof.js'

/** The result for a file. Without `Trust.keys`, anyone can have created a valid file: `keysFrom` is then `export`. */
export type FileReport =
  | ((VerifiedExport | VerifiedProof) & { format: string; keysFrom: 'file' | 'export' })
  | { valid: false; firstBroken: { reason: InvalidReason; message: string } & Place }

/**
 * Verifies an export or the proof of an entry, without settings and database. Trusts nothing in the file. The memory is bounded.
 * @param chunks the bytes of the file
 * @throws the errors of `chunks`
 */
export async function verifyFile(chunks: AsyncIterable<Uint8Array>, trust: Trust): Promise<FileReport> {
  let line = 0
  const lines = counted(readLines(chunks))
  try {
    return await verifyLines(lines, trust)
  } catch (error) {
    if (error instanceof InvalidFile) {
      const { reason, message, place } = error
      return { valid: false, firstBroken: { reason, message, ...place } }
    }
    // The hash is computed recursively.
    if (!(error instanceof RangeError)) throw error
    const message = 'The line has values that are nested too deeply.'
    return { valid: false, firstBroken: { reason: 'malformed', message, line } }
  } finally {
    // Closes the file after a violation.
    await lines.return()
  }

  async function* counted(all: AsyncGenerator<Line, void>): AsyncGenerator<Line, void> {
    for await (const next of all) {
      line = next.number
      yield next
    }
  }
}

const VERIFIERS = new Map<unknown, typeof verifyExport | typeof verifyProof>([
  [EXPORT_FORMAT, verifyExport],
  [PROOF_FORMAT, verifyProof],
])

async function verifyLines(lines: AsyncGenerator<Line, void>, trust: Trust): Promise<FileReport> {
  const first = await lines.next()
  if (first.done) throw new InvalidFile('truncated', 'The file is empty.')
  const { format, version } = first.value.value
  const verify = VERIFIERS.get(format)
  if (!verify)
    throw new InvalidFile('unknown_format', 'The file is neither an export of the audit log nor the proof of an entry.')
  if (!READABLE_VERSIONS.includes(version))
    throw new InvalidFile(
      'unknown_version',
      `This program verifies files up to version ${FORMAT_VERSION} of the format. Use the Keyward that created this one, or a newer one.`,
    )
  const verified = await verify(first.value, lines, trust)
  return { ...verified, format: format as string, keysFrom: trust.keys ? 'file' : 'export' }
}
