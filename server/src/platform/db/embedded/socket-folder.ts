import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The port is only a part of the socket's file name, as PostgreSQL and its drivers build it. */
export const SOCKET_PORT = 5432
export const socketPath = (folder: string): string => join(folder, `.s.PGSQL.${SOCKET_PORT}`)

/** `sun_path` has 108 bytes on Linux and 104 on macOS, the closing zero included; some room is left. */
const LONGEST_PATH = 100
const TEMPORARY_PREFIX = 'keyward-'

export interface SocketFolder {
  path: string
  remove(): Promise<void>
}

/**
 * Makes the folder of the database's socket. Its mode 0700 is the only guard of the database, which asks for no
 * password. It lies in the data folder, or, where that path is too long or its file system has no sockets (some shared
 * mounts), under the system's temporary folder, with its name noted in the data folder, so that the next start removes
 * what a killed process left behind. The caller holds the lock of the data folder.
 */
export async function makeSocketFolder(dataDir: string): Promise<SocketFolder> {
  const inside = join(dataDir, 'run')
  const note = join(dataDir, '.socket-folder')
  await rm(inside, { recursive: true, force: true })
  await removeNoted(note)

  if (Buffer.byteLength(socketPath(inside)) <= LONGEST_PATH) {
    await mkdir(inside, { mode: 0o700 })
    const remove = () => rm(inside, { recursive: true, force: true })
    if (await canListen(inside)) return { path: inside, remove }
    await remove()
  }

  // mkdtemp creates with mode 0700 under a name that nobody could prepare
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

async function removeNoted(note: string): Promise<void> {
  const noted = await readFile(note, 'utf8').catch(() => '')
  // the note is only believed where it names a folder that this function could have made
  if (dirname(noted) === tmpdir() && basename(noted).startsWith(TEMPORARY_PREFIX)) {
    await rm(noted, { recursive: true, force: true })
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
