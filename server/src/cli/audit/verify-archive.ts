import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { type PublicKeys, readPublicKeys, verifyFile } from '../../features/audit/chain/offline/index.js'
import { CommandError, type Result } from '../command.js'
import { reportText } from './report-text.js'

/** The maximum size in bytes of a file of keys and of a stored checkpoint. */
const MAX_SIZE = 64 * 1_024

/** Verifies an exported file. @throws CommandError if a file cannot be read, or `keys` does not contain keys */
export async function verifyArchive(
  path: string,
  trusted: { keys: string | undefined; checkpoint: string | undefined },
): Promise<Result> {
  const keys = trusted.keys === undefined ? undefined : await readKeys(trusted.keys)
  const report = await explained(path, verifyFile(createReadStream(path), { ...trusted, keys }))
  return { data: report, text: reportText(report), failed: !report.valid }
}

/** Reads a signed checkpoint, alone or in the response of `GET /api/v1/audit/checkpoint`. @throws CommandError */
export async function readStoredCheckpoint(path: string): Promise<string> {
  const text = (await readSmall(path)).trim()
  if (!text.startsWith('{')) return text
  const { checkpoint } = (parse(text) ?? {}) as { checkpoint?: unknown }
  if (typeof checkpoint === 'string') return checkpoint
  throw new CommandError('invalid_checkpoint', `${path} contains no signed checkpoint.`)
}

async function readKeys(path: string): Promise<PublicKeys> {
  const keys = readPublicKeys(parse(await readSmall(path)))
  if (keys && keys.size > 0) return keys
  throw new CommandError(
    'invalid_keys',
    `${path} contains no public keys. Save the response of GET /api/v1/audit/checkpoint-keys in it.`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readSmall(path: string): Promise<string> {
  const { size } = await explained(path, stat(path))
  if (size > MAX_SIZE) throw new CommandError('file_too_large', `${path} is larger than ${MAX_SIZE / 1_024} KiB.`)
  return explained(path, readFile(path, 'utf8'))
}

const explained = <T>(path: string, reading: Promise<T>): Promise<T> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error
    throw new CommandError('file_not_readable', `${path} cannot be read: ${error.message}`)
  })
