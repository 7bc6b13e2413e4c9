import { constants, existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of every PostgreSQL database, without which it does not start. */
export const VERSION_FILE = 'PG_VERSION'

/** Returns the database folder in the data folder. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'db')

/**
 * Creates the database files if they do not exist, and returns whether it did. They are prepared under a temporary name and
 * renamed in the last step, so that a killed process leaves a folder that the next start removes, never an incomplete database.
 * The caller holds the lock of the data folder.
 *
 * @param fill writes the files of a cleanly closed database into an empty folder
 */
export async function ensureDatabaseFolder(dataDir: string, fill: (folder: string) => Promise<void>): Promise<boolean> {
  const final = databaseFolder(dataDir)
  const pending = `${final}.new`
  await rm(pending, { recursive: true, force: true })
  if (isDatabase(final)) return false

  if (existsSync(final) && (await readdir(final)).length > 0) {
    throw new Error(
      `The folder ${final} is not empty and contains no database. Move it away, or restore it completely.`,
    )
  }
  await mkdir(pending, { mode: 0o700 })
  await fill(pending)
  await rename(pending, final)
  return true
}

/** Returns whether the folder contains a database. */
export const isDatabase = (folder: string): boolean => existsSync(join(folder, VERSION_FILE))

/** Syncs a folder with its content to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncFolder(path)
    else await syncToDisk(path)
  }
  await syncToDisk(folder)
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}

/** Folders that PostgreSQL requires and that are empty in a template. An npm package has no empty folders. */
export const EMPTY_FOLDERS = [
  'pg_commit_ts',
  'pg_dynshmem',
  'pg_logical/mappings',
  'pg_logical/snapshots',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_tblspc',
  'pg_twophase',
  'pg_wal/archive_status',
  'pg_wal/summaries',
]

/**
 * Copies the template. It can belong to another user and be read-only, as in a container image, so the modes are reset.
 */
export async function copyTemplate(templateDir: string, target: string): Promise<void> {
  if (!isDatabase(templateDir)) throw new Error(`The folder ${templateDir} is no database template.`)
  await copyFolder(templateDir, target)
  await Promise.all(EMPTY_FOLDERS.map((name) => mkdir(join(target, name), { recursive: true, mode: 0o700 })))
}

async function copyFolder(source: string, target: string): Promise<void> {
  const entries = await readdir(source, { withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      const from = join(source, entry.name)
      const to = join(target, entry.name)
      if (entry.isDirectory()) {
        await mkdir(to, { mode: 0o700 })
        await copyFolder(from, to)
      } else {
        await copyFile(from, to, constants.COPYFILE_FICLONE)
        await chmod(to, 0o600)
      }
    }),
  )
}
