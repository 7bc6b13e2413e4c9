import { type FileHandle, open } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { tryLock, unlock } from 'fs-native-extensions'

export interface FolderLock {
  /** Gives the folder free. Calling it again does nothing. */
  release(): Promise<void>
}

/**
 * Takes the folder for this process alone: two embedded databases on one folder overwrite each other silently. The lock
 * is the kernel's, on an open file (`F_OFD_SETLK` on Linux, `flock` on macOS): it also holds between containers of one
 * machine that share the volume, it refuses a second taker in the same process, and it ends with the process however
 * that dies, so there is no stale lock to clean up. Between machines it is as good as the network file system's locks.
 *
 * The file is never deleted: whoever opened the deleted file would lock something that nobody else sees. What is
 * written in it only helps a person to find the holder; process numbers of another container mean nothing here, hence
 * the host name.
 *
 * @throws Error with one line that names the folder and, if it is known, the holder
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  const file = await openLockFile(dataDir)
  try {
    if (!tryLock(file.fd)) throw new Error(await describeHolder(dataDir, file))
    await file.truncate(0)
    await file.write(`${process.pid} ${hostname()}\n`, 0)
  } catch (error) {
    await file.close()
    throw error
  }
  let released = false
  return {
    async release() {
      if (released) return
      released = true
      await file.truncate(0)
      unlock(file.fd)
      await file.close()
    },
  }
}

async function openLockFile(dataDir: string): Promise<FileHandle> {
  try {
    // "a+" neither truncates the holder's name nor needs the file to exist
    return await open(join(dataDir, '.lock'), 'a+', 0o600)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    throw new Error(`The data folder ${dataDir} cannot be written to (${code}).`, { cause })
  }
}

async function describeHolder(dataDir: string, file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(300), 0, 300, 0)
  const [, pid, host] = /^(\d+) (\S+)\n/.exec(buffer.toString('utf8', 0, bytesRead)) ?? []
  const holder = pid ? `process ${pid} on ${host}` : 'another process'
  return `The data folder ${dataDir} is in use by ${holder}. Stop it first, or give this one its own folder.`
}
