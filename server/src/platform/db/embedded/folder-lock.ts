import { type FileHandle, open } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { tryLock, unlock } from 'fs-native-extensions'

export interface FolderLock {
  /** Releases the folder. Calling it again has no effect. */
  release(): Promise<void>
}

/**
 * Locks the folder for this process: two embedded databases on one folder would silently overwrite each other. The kernel holds the
 * lock on an open file (`F_OFD_SETLK` on Linux, `flock` on macOS). It works between containers of one machine that share the
 * volume, rejects a second lock in the same process, and is released on any exit of the process, so there are no stale locks.
 * Between machines it depends on the locks of the network file system.
 *
 * The file is never deleted, because a process that had opened the deleted file would lock a file that no other process sees. Its
 * content only helps an operator to find the holder; it has the host name because process IDs of other containers mean nothing.
 *
 * @throws Error with one line that names the folder and, if known, the holder
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
    // "a+" does not truncate the content and does not require an existing file.
    return await open(join(dataDir, '.lock'), 'a+', 0o600)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    throw new Error(`The data folder ${dataDir} is not writable (${code}).`, { cause })
  }
}

async function describeHolder(dataDir: string, file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(300), 0, 300, 0)
  const [, pid, host] = /^(\d+) (\S+)\n/.exec(buffer.toString('utf8', 0, bytesRead)) ?? []
  const holder = pid ? `process ${pid} on ${host}` : 'another process'
  return `The data folder ${dataDir} is in use by ${holder}. Stop it first, or use another folder for this process.`
}
