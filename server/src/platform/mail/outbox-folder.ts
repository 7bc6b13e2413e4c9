import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../log.js'
import { parseMessage, type StoredMessage } from './parse-message.js'

/** A mail of the outbox folder. */
export interface OutboxMail extends StoredMessage {
  id: string
  kind: string
  createdAt: Date
}

/** The mails that this node wrote to its outbox folder. */
export interface OutboxFolder {
  /** Returns a page of the mails, newest first, and their number. */
  list(page: { offset: number; limit: number }): Promise<{ mails: OutboxMail[]; total: number }>
  /** Returns the mail with the ID; undefined if there is none. The ID is only compared with names of files, never part of a path. */
  find(id: string): Promise<OutboxMail | undefined>
}

/** The names of the files that `folderTransport` writes: time, kind, ID. */
const NAME =
  /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-(\w+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.eml$/

interface File {
  name: string
  id: string
  kind: string
  createdAt: Date
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

/** Parses the name of a file; undefined if it is not of a mail. */
function fileOf(name: string): File | undefined {
  const [, day, hours, minutes, seconds, milliseconds, kind = '', id = ''] = NAME.exec(name) ?? []
  if (!day) return undefined
  return { name, id, kind, createdAt: new Date(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`) }
}

/** Returns the files, newest first: the names begin with the time. */
const filesIn = async (folder: string): Promise<File[]> =>
  (await namesIn(folder))
    .sort()
    .reverse()
    .flatMap((name) => fileOf(name) ?? [])

/** Returns the outbox folder of this node. */
export const outboxOf = ({ dataDir }: { dataDir: string }): string => `${dataDir}/outbox`

/** The end of the name of a file that is being written. */
export const UNFINISHED = '.part'

/** Deletes the mails of the folder from before a time, also unfinished ones. A file that cannot be deleted is logged and stays. */
export async function deleteMailsBefore(folder: string, time: Date, log: Logger): Promise<void> {
  const names = await namesIn(folder)
  for (const name of names) {
    const file = fileOf(name.endsWith(UNFINISHED) ? name.slice(0, -UNFINISHED.length) : name)
    if (!file || file.createdAt >= time) continue
    await rm(join(folder, name), { force: true }).catch((error: unknown) =>
      log.warn({ file: join(folder, name), err: error }, 'a mail in the outbox cannot be deleted'),
    )
  }
}

export function outboxFolder(folder: string): OutboxFolder {
  const read = async ({ name, ...file }: File): Promise<OutboxMail> => ({
    ...file,
    ...parseMessage(await readFile(join(folder, name), 'latin1')),
  })
  return {
    async list({ offset, limit }) {
      const all = await filesIn(folder)
      return { mails: await Promise.all(all.slice(offset, offset + limit).map(read)), total: all.length }
    },
    async find(id) {
      const file = (await filesIn(folder)).find((candidate) => candidate.id === id)
      return file && read(file)
    },
  }
}
