import { constants, existsSync } from 'node:fs'
import { access, link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { randomKey } from './random.js'

const KEY_FILE = 'encryption.key'

/** Returns the path of the key file. */
export const keyFile = (dataDir: string): string => join(dataDir, KEY_FILE)

/**
 * Returns the key-encryption keys of `DATA_DIR/encryption.key`. The first start creates the file, readable only by its owner. It is
 * synced to disk before anything is sealed with it, so that a crash cannot leave sealed rows without their key.
 *
 * @param database the folder of a database that was created after the file, if one exists: its secrets are sealed with the key
 * @throws Error if the file is damaged, or missing although there is a database
 */
export async function encryptionKeyFromFile(dataDir: string, database?: string): Promise<Buffer[]> {
  const path = keyFile(dataDir)
  await makeDataFolder(dataDir)
  if (!existsSync(path)) {
    if (database !== undefined)
      throw new Error(
        `${path} is missing, but ${database} contains a database encrypted with it. Restore the file from a backup, or set ENCRYPTION_KEY to its content.`,
      )
    await createKeyFile(dataDir)
  }
  return readKeyFile(path)
}

/** @throws Error if the file cannot be read or is damaged */
export async function readKeyFile(path: string): Promise<Buffer[]> {
  const keys = (await readFile(path, 'utf8'))
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((line) => Buffer.from(line, 'base64'))
  if (keys.length === 0 || keys.some((key) => key.length !== 32))
    throw new Error(
      `${path} does not contain 32 bytes in base64: restore it from a backup (without it sealed secrets are lost)`,
    )
  return keys
}

/**
 * Adds a new key in front of those of `DATA_DIR/encryption.key`, which still decrypt. Replaces the file atomically, and syncs it to disk.
 * The service must not run.
 * @returns the keys, the new one first
 */
export async function addEncryptionKey(dataDir: string): Promise<Buffer[]> {
  const keys = [randomKey(), ...(await encryptionKeyFromFile(dataDir, dataDir))]
  const draft = await writeKeys(dataDir, keys)
  await rename(draft, join(dataDir, KEY_FILE))
  await syncFolderEntry(dataDir)
  return keys
}

/** Writes the keys to a temporary file, readable only by its owner, and syncs it to disk. */
async function writeKeys(dataDir: string, keys: Buffer[]): Promise<string> {
  const draft = join(dataDir, `${KEY_FILE}.${process.pid}`)
  const file = await open(draft, 'w', 0o600)
  await file.writeFile(keys.map((key) => `${key.toString('base64')}\n`).join(''))
  await file.sync()
  await file.close()
  return draft
}

/** @throws Error that names the folder and the user, if the process cannot use the folder */
async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const user = process.getuid ? ` by user ${process.getuid()}` : ''
    throw new Error(`The data folder ${dataDir} cannot be written${user} (${code}). DATA_DIR selects another.`, {
      cause,
    })
  }
}

/** Creates the file atomically; of two concurrent processes one succeeds. */
async function createKeyFile(dataDir: string): Promise<void> {
  const draft = await writeKeys(dataDir, [randomKey()])
  await link(draft, join(dataDir, KEY_FILE)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  await syncFolderEntry(dataDir)
}

/** Makes a new name in the folder survive a power failure. */
async function syncFolderEntry(dataDir: string): Promise<void> {
  const folder = await open(dataDir, 'r')
  await folder.sync().finally(() => folder.close())
}
