import fs from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { formatPosition, parsePosition } from './log-position.js'

/**
 * The file with the position in the write-ahead log up to which writes were acknowledged: `acknowledged position`. It is in the folder of
 * the database, so that a copy of the folder has both. A rejected start replaces the content by `lost position recovered`, because
 * each start appends to the log: after several ones the log would reach the position again.
 */
const FILE = 'acknowledged-position'
const ACKNOWLEDGED = 'acknowledged'
const LOST = 'lost'

/** Milliseconds between two syncs of the file to the disk, during which a power failure can hide a loss. */
const SYNC_INTERVAL = 1_000

const syncToDisk = promisify(fs.fdatasync)

/**
 * Returns why the database lacks acknowledged writes: its log ends before the last acknowledged position, or that position is unknown.
 * Undefined if it lacks none, and for a database without the file: a new one, or one of an earlier release.
 *
 * @param recovered the position up to which PostgreSQL has read the log at this start
 */
export function findLoss(folder: string, recovered: number): string | undefined {
  const path = join(folder, FILE)
  if (!fs.existsSync(path)) return undefined
  const [state, ...texts] = fs.readFileSync(path, 'latin1').trim().split(' ')
  const [acknowledged, end = recovered] = texts.map(parsePosition)
  if (acknowledged === undefined || (state !== ACKNOWLEDGED && state !== LOST)) return `${path} is damaged.`
  if (state === ACKNOWLEDGED && acknowledged <= recovered) return undefined
  fs.writeFileSync(path, `${[LOST, formatPosition(acknowledged), formatPosition(end)].join(' ')}\n`)
  return `its log ends at ${formatPosition(end)}, but writes up to ${formatPosition(acknowledged)} were acknowledged.`
}

/** Returns whether the folder has the file, so that a start verifies the log. */
export const hasAcknowledgedPosition = (folder: string): boolean => fs.existsSync(join(folder, FILE))

export interface AcknowledgedPosition {
  /** Stores a position before the response that acknowledges it. */
  store(position: number): void
  close(): void
}

/**
 * Creates the file, or opens it to replace its content.
 *
 * The file has a fixed length and is overwritten in place: a write takes microseconds and is complete if the process is killed.
 */
export function openAcknowledgedPosition(folder: string, position: number): AcknowledgedPosition {
  const path = join(folder, FILE)
  if (!fs.existsSync(path)) createFile(path, position)
  const file = fs.openSync(path, 'r+')
  let stored = -1
  let synced = -1
  const store = (next: number): void => {
    if (next <= stored) return
    fs.writeSync(file, contentOf(next), 0)
    stored = next
  }
  store(position)
  fs.ftruncateSync(file, contentOf(position).length)
  fs.fsyncSync(file)
  const timer = setInterval(() => {
    if (synced === stored) return
    synced = stored
    syncToDisk(file).catch(() => {}) // The next write or sync reports a failed disk.
  }, SYNC_INTERVAL).unref()
  return {
    store,
    close() {
      clearInterval(timer)
      fs.closeSync(file)
    },
  }
}

/** Creates the file with its content at once: an empty one, after a crash or on a full disk, would count as damaged. */
function createFile(path: string, position: number): void {
  const unfinished = `${path}.new`
  fs.writeFileSync(unfinished, contentOf(position), { mode: 0o600, flush: true })
  fs.renameSync(unfinished, path)
}

const contentOf = (position: number): string => `${ACKNOWLEDGED} ${formatPosition(position)}\n`
