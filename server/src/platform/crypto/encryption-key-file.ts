import { access, link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { randomKey } from './random.js'

/**
 * The key-encryption key of a laptop: made at the first start, kept in `DATA_DIR/encryption.key`, readable by its owner alone.
 * Written before anything is sealed under it and forced to disk, so that no crash can leave sealed rows without their key.
 */
export async function encryptionKeyFromFile(dataDir: string): Promise<Buffer[]> {
  const path = join(dataDir, 'encryption.key')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await access(path).catch(() => createKeyFile(path))
  const keys = (await readFile(path, 'utf8'))
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((line) => Buffer.from(line, 'base64'))
  if (keys.length === 0 || keys.some((key) => key.length !== 32))
    throw new Error(
      `${path} does not hold 32 bytes in base64: restore it from a backup (without it sealed secrets are lost)`,
    )
  return keys
}

/** Whole under its name or not there at all; of two processes that make it at once one wins. */
async function createKeyFile(path: string): Promise<void> {
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  await file.writeFile(`${randomKey().toString('base64')}\n`)
  await file.sync()
  await file.close()
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
}
