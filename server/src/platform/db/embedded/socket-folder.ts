import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The port is only part of the socket's file name, according to PostgreSQL and its drivers. */
export const SOCKET_PORT = 5432
export const socketPath = (folder: string): string => join(folder, `.s.PGSQL.${SOCKET_PORT}`)

/** `sun_path` has 108 bytes on Linux and 104 on macOS, including the terminating zero; this leaves a margin. */
const MAX_PATH_LENGTH = 100
const TEMPORARY_PREFIX = 'keyward-'

export interface SocketFolder {
  path: string
  remove(): Promise<void>
}

/**
 * Creates the folder of the database's socket. Its mode 0700 is the only access control of the database, which requires no
 * password. It is in the data folder, or, if that path is too long or its file system has no sockets (some shared mounts), in the
 * system's temporary folder. The data folder then contains its name, so that the next start removes the folder of a killed process.
 * The caller holds the lock of the data folder.
 */
export async function makeSocketFolder(dataDir: string): Promise<SocketFolder> {
  const inside = join(dataDir, 'run')
  const note = join(dataDir, '.socket-folder')
  await rm(inside, { recursive: true, force: true })
  await removeRecorded(note)

  if (Buffer.byteLength(socketPath(inside)) <= MAX_PATH_LENGTH) {
    await mkdir(inside, { mode: 0o700 })
    const remove = () => rm(inside, { recursive: true, force: true })
    if (await canListen(inside)) return { path: inside, remove }
    await remove()
  }

  // mkdtemp creates the folder with mode 0700 and an unpredictable name.
  const temporary = await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX))
  await writeFile(note, temporary, { mode: 0o600 })
  return {
    path: temporary,
    async remove() {
      await rm(temporary, { recursive: true, force: true })
      await rm(note, { force: true })
    },
  }
}

async function removeRecorded(note: string): Promise<void> {
  const recorded = await readFile(note, 'utf8').catch(() => '')
  // The recorded name is only used if this module could have created the folder.
  if (dirname(recorded) === tmpdir() && basename(recorded).startsWith(TEMPORARY_PREFIX)) {
    await rm(recorded, { recursive: true, force: true })
  }
  await rm(note, { force: true })
}

function canListen(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(socketPath(folder), () => probe.close(() => resolve(true)))
  })
}
