import { constants } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../platform/config/config.js'
import { databaseFolder, isDatabase } from '../../platform/db/embedded/data-folder.js'
import { holderOf } from '../../platform/db/embedded/folder-lock.js'
import { causeOf, type Finding, type Found, ok, type Part, problem, warning } from './check.js'

const MIB = 1_048_576
/** Bytes of free space. */
const LITTLE_SPACE = 1_024 * MIB
const LEAST_SPACE = 100 * MIB

export const dataFolderPart: Part = {
  area: 'data folder',
  name: 'folder',
  needs: ['DATABASE_URL', 'SMTP_URL'],
  async run({ config }) {
    if (config.databaseUrl && config.smtpUrl)
      return [ok('Not used: the data is in PostgreSQL, and mails are sent by SMTP')]
    const existing = await nearestExisting(config.dataDir)
    const folder = await folderAccess(config, existing)
    if (folder.status === 'problem') return [folder]
    const space = await statfs(existing)
    const free: Found = { name: 'free space', ...assessSpace(space.bavail * space.bsize, existing) }
    return [folder, free, ...(config.databaseUrl ? [] : await embeddedDatabase(config))]
  },
}

async function folderAccess({ dataDir, databaseUrl }: Config, existing: string): Promise<Found> {
  const user = process.getuid ? `user ${process.getuid()}` : 'this user'
  const solution = `Let ${user} write to ${existing}, or select another folder by DATA_DIR`
  if (!(await stat(existing)).isDirectory()) return problem(`${existing} is not a folder`, solution)
  try {
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return problem(`${existing} cannot be written by ${user} (${causeOf(error)})`, solution)
  }
  if (existing === dataDir) return ok(`${dataDir} can be written by ${user}`)
  if (databaseUrl) return ok(`${dataDir} does not exist: the first mail creates it`)
  return warning(
    `${dataDir} does not exist: the first start creates it with an empty database`,
    'If the service has run before, set DATA_DIR to its folder; otherwise nothing is to be done',
  )
}

/** Returns the folder, or the nearest parent that exists. */
async function nearestExisting(path: string): Promise<string> {
  const isPresent = await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => !['ENOENT', 'ENOTDIR'].includes(error.code ?? ''),
  )
  return isPresent || dirname(path) === path ? path : nearestExisting(dirname(path))
}

/** @param bytes that this user can still write in the folder */
export function assessSpace(bytes: number, folder: string): Found {
  const finding = `${Math.floor(bytes / MIB)} MiB free in ${folder}`
  const solution = `Free space on the disk of ${folder}, or move DATA_DIR to another disk`
  if (bytes < LEAST_SPACE) return problem(finding, solution)
  return bytes < LITTLE_SPACE ? warning(finding, solution) : ok(finding)
}

async function embeddedDatabase(config: Config): Promise<Found[]> {
  return [
    { name: 'embedded database', ...(await assessFiles(config.dataDir)) },
    { name: 'power failures', ...assessSyncs(config) },
  ]
}

async function assessFiles(dataDir: string): Promise<Finding> {
  const folder = databaseFolder(dataDir)
  if (isDatabase(folder)) {
    const holder = await holderOf(dataDir)
    return ok(holder ? `${folder} is in use by ${holder}` : `${folder} is not in use`)
  }
  const files = await readdir(folder).catch(() => [])
  if (files.length === 0) return ok(`None in ${folder} yet: the first start creates it`)
  return problem(`${folder} is not empty and contains no database`, 'Move it away, or restore it completely')
}

function assessSyncs({ loopback, embedded }: Config): Finding {
  if (embedded.fsync) return ok('EMBEDDED_FSYNC=on: acknowledged writes survive a power failure')
  const finding = 'EMBEDDED_FSYNC=off: a power failure can lose acknowledged writes and damage the database'
  return loopback ? ok(finding) : warning(finding, 'Set EMBEDDED_FSYNC=on, or use PostgreSQL')
}
