import { type FileHandle, open, readFile, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { tryLock, unlock } from 'fs-native-extensions'
import { databaseFolder, isDatabase, VERSION_FILE } from './data-folder.js'

export interface FolderLock {
  /**
   * Locks a new database, before it is renamed to its final name.
   * @throws Error if another process has locked the data folder meanwhile, because the lock file was deleted
   */
  lockNewDatabase(folder: string): Promise<void>
  /** Resolves if the files of the database are removed or replaced; never otherwise. */
  lost: Promise<Error>
  /** Releases the folder. Calling it again has no effect. */
  release(): Promise<void>
}

/** Milliseconds between two verifications that the locked files are still in the folder. */
const VERIFICATION_INTERVAL = 2_000

/**
 * Locks the folder for this process: two embedded databases on one folder would silently overwrite each other. The kernel holds the
 * locks on open files (`F_OFD_SETLK` on Linux, `flock` on macOS). They work between containers of one machine that share the
 * volume, reject a second lock in the same process, and are released on any exit of the process, so there are no stale locks.
 * Between machines they depend on the locks of the network file system.
 *
 * Two files are locked. `.lock` exists before the database does. Its content names the holder for an operator, with the host name
 * because process IDs of other containers mean nothing. The version file of the database rejects another process after `.lock` was
 * deleted: that process locks a new `.lock` and does not see the lock on the deleted one. The holder restores a deleted `.lock`.
 *
 * @throws Error with one line that names the folder and, if known, the holder
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  const path = join(dataDir, '.lock')
  const holder = `${process.pid} ${hostname()}\n`
  let file = await openLockFile(dataDir, path)
  let database: { folder: string; file: FileHandle } | undefined

  async function lockDatabase(folder: string): Promise<void> {
    const versionFile = await openLocked(join(folder, VERSION_FILE), 'r+')
    if (!versionFile) throw new Error(await describeHolder(dataDir, path))
    database = { folder: databaseFolder(dataDir), file: versionFile }
  }

  try {
    if (!tryLock(file.fd)) throw new Error(await describeHolder(dataDir, path))
    if (isDatabase(databaseFolder(dataDir))) await lockDatabase(databaseFolder(dataDir))
    await writeHolder(file, holder)
  } catch (error) {
    await file.close()
    await database?.file.close()
    throw error
  }

  /** Locks the lock file again if it was deleted or replaced. */
  async function restoreLockFile(): Promise<void> {
    if (await isAt(path, file)) return
    const restored = await openLocked(path, 'a+')
    if (!restored) return
    await file.close()
    file = restored
    await writeHolder(file, holder)
  }

  let released = false
  let verification: Promise<void> = Promise.resolve()
  const lost = new Promise<Error>((resolve) => {
    const timer = setInterval(() => {
      verification = verification.then(async () => {
        if (released) return clearInterval(timer)
        if (database && !(await isAt(join(database.folder, VERSION_FILE), database.file))) {
          clearInterval(timer)
          resolve(new Error(`${database.folder} was removed or replaced while its database was in use.`))
        } else await restoreLockFile().catch(() => {}) // The folder is temporarily not writable.
      })
    }, VERIFICATION_INTERVAL).unref()
  })

  return {
    async lockNewDatabase(folder) {
      if ((await readFile(path, 'utf8').catch(() => '')) !== holder)
        throw new Error(await describeHolder(dataDir, path))
      await lockDatabase(folder)
    },
    lost,
    async release() {
      if (released) return
      released = true
      await verification
      await file.truncate(0)
      for (const locked of [database?.file, file]) {
        if (!locked) continue
        unlock(locked.fd)
        await locked.close()
      }
    },
  }
}

async function openLockFile(dataDir: string, path: string): Promise<FileHandle> {
  try {
    // "a+" does not truncate the content and does not require an existing file.
    return await open(path, 'a+', 0o600)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    throw new Error(`The data folder ${dataDir} is not writable (${code}).`, { cause })
  }
}

/**
 * Returns whether the path still leads to the open file. The lock is no proof: that of a replaced file can belong to another process.
 * A path that is temporarily unreadable counts as unchanged.
 */
async function isAt(path: string, file: FileHandle): Promise<boolean> {
  try {
    const own = await file.stat()
    const { dev, ino } = await stat(path)
    return dev === own.dev && ino === own.ino
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** Opens and locks a file; returns undefined if it is locked already. */
async function openLocked(path: string, flags: 'a+' | 'r+'): Promise<FileHandle | undefined> {
  const file = await open(path, flags, 0o600)
  try {
    if (tryLock(file.fd)) return file
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return undefined
}

async function writeHolder(file: FileHandle, holder: string): Promise<void> {
  await file.truncate(0)
  await file.write(holder, 0)
}

async function describeHolder(dataDir: string, path: string): Promise<string> {
  return `The data folder ${dataDir} is in use by ${await readHolder(path)}. Stop it first, or use another folder for this process.`
}

/** Returns the process that the lock file names, such as `process 12 on host`. */
async function readHolder(path: string): Promise<string> {
  const content = await readFile(path, 'utf8').catch(() => '')
  const [, pid, host] = /^(\d+) (\S+)\n/.exec(content) ?? []
  return pid ? `process ${pid} on ${host}` : 'another process'
}

/**
 * Returns the process that uses the data folder, such as `process 12 on host`; undefined if none does. Changes no file: it requests
 * shared locks and releases them at once.
 * @throws Error if a file cannot be read
 */
export async function holderOf(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, '.lock')
  for (const file of [path, join(databaseFolder(dataDir), VERSION_FILE)])
    if (await isLocked(file)) return readHolder(path)
  return undefined
}

async function isLocked(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  try {
    return file !== undefined && !tryLock(file.fd, { shared: true })
  } finally {
    await file?.close()
  }
}
