import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
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

/** Returns the files, newest first: the names begin with the time. */
async function filesIn(folder: string): Promise<File[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .sort()
    .reverse()
    .flatMap((name) => {
      const [, day, hours, minutes, seconds, milliseconds, kind = '', id = ''] = NAME.exec(name) ?? []
      if (!day) return []
      return [{ name, id, kind, createdAt: new Date(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`) }]
    })
}

/** Deletes the mails of the folder from before a time. Other nodes may do so concurrently. */
export async function deleteMailsBefore(folder: string, time: Date): Promise<void> {
  for (const { name, createdAt } of await filesIn(folder))
    if (createdAt < time) await rm(join(folder, name), { force: true })
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
