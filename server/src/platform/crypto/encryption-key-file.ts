import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomKey } from './random.js'

/**
 * The key-encryption key of a laptop: made at the first start, kept in `DATA_DIR/encryption.key`, readable by its owner alone.
 * Written before anything is sealed under it and forced to disk, so that no crash can leave sealed rows without their key.
 */
export async function encryptionKeyFromFile(dataDir: string): Promise<Buffer[]> {
  const path = join(dataDir, 'encryption.key')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`${randomKey().toString('base64')}\n`)
    await file.sync()
    await file.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
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
