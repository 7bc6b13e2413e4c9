import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'

/** Writes a folder of the engine's file system, including empty folders, into an existing folder. */
export async function writeFolder(files: PGlite['Module']['FS'], source: string, target: string): Promise<void> {
  for (const name of files.readdir(source)) {
    if (name === '.' || name === '..') continue
    const from = `${source}/${name}`
    const to = join(target, name)
    if (files.isDir(files.stat(from).mode)) {
      await mkdir(to, { mode: 0o700 })
      await writeFolder(files, from, to)
    } else await writeFile(to, files.readFile(from), { mode: 0o600 })
  }
}
