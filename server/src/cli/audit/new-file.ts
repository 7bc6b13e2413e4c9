import { randomBytes } from 'node:crypto'
import { link, lstat, open, rename, rm } from 'node:fs/promises'
import { CommandError } from '../command.js'

export interface NewFile {
  path: string
  /** Whether to replace an existing file. */
  replace: boolean
}

/**
 * Writes a file with mode 0600 under a temporary name, and renames it when `write` has resolved. Removes it if `write` throws.
 * @throws CommandError if the file exists or cannot be written
 */
export async function writeNewFile<T>(
  { path, replace }: NewFile,
  write: (append: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const isNew = await lstat(path).then(
    () => false,
    () => true,
  )
  if (!isNew && !replace) throw fileExists(path)
  const explained = (action: Promise<unknown>) =>
    action.catch((error: Error) => {
      if (error instanceof CommandError) throw error
      throw new CommandError('file_not_written', `${path} cannot be written: ${error.message}`)
    })
  const temporary = `${path}.${randomBytes(6).toString('hex')}.part`
  const opening = open(temporary, 'wx', 0o600)
  await explained(opening)
  const file = await opening
  try {
    const result = await write(async (text) => void (await explained(file.writeFile(text))))
    await explained(file.sync())
    await file.close()
    await explained(replace ? rename(temporary, path) : renameToNew(temporary, path))
    return result
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(temporary, { force: true })
    throw error
  }
}

const fileExists = (path: string): CommandError =>
  new CommandError('file_exists', `${path} exists. Select another file, or replace it with --force.`)

/** Renames a file, and never replaces another one that was created meanwhile. */
async function renameToNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw fileExists(to)
    // The file system has no hard links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error
    return rename(from, to)
  }
  await rm(from)
}
