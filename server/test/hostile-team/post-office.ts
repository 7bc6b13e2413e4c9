import { mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { type ReceivedMail, readMail } from '../mailbox.js'
import { COMPANY_MARK } from './marks.js'

/** Delivers the mails of a service to the scenarios that wait for them, and reads the outbox once for all. */
export interface PostOffice {
  /** The mails to an email address so far, oldest first. */
  to(email: string): ReceivedMail[]
  /** Those of a kind; of kinds that name a team, those of the friendly team alone. */
  of(email: string, kind: string): ReceivedMail[]
  /** Returns the newest of these once there are more of them than `before`. @throws Error after ten seconds */
  next(email: string, kind: string, before: number): Promise<ReceivedMail>
  close(): void
}

const NAMES_TEAM = new Set(['welcome', 'invitation'])
const PATIENCE = 60_000

export function openPostOffice(dataDir: string): PostOffice {
  const folder = join(dataDir, 'outbox')
  mkdirSync(folder, { recursive: true })
  const seen = new Set<string>()
  const mails = new Map<string, ReceivedMail[]>()
  const waiting = new Set<() => void>()
  const watcher = watch(folder, (_, file) => {
    if (!file?.endsWith('.eml') || seen.has(file)) return
    seen.add(file)
    const mail = readMail(folder, file)
    const all = [...(mails.get(mail.to) ?? []), mail]
    // Workers write beside each other: the ID in the Message-ID has the order in which the mails were sent.
    mails.set(
      mail.to,
      all.sort((one, other) => (one.messageId < other.messageId ? -1 : 1)),
    )
    for (const look of waiting) look()
  })
  const of = (email: string, kind: string) =>
    (mails.get(email) ?? []).filter(
      (mail) => mail.kind === kind && (!NAMES_TEAM.has(kind) || mail.text.includes(COMPANY_MARK)),
    )

  return {
    to: (email) => mails.get(email) ?? [],
    of,
    next: (email, kind, before) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = of(email, kind)
          const newest = found.at(-1)
          if (!newest || found.length <= before) return
          waiting.delete(look)
          clearTimeout(timer)
          resolve(newest)
        }
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`no ${kind} mail came for ${email}`))
        }, PATIENCE)
        waiting.add(look)
        look()
      }),
    close: () => watcher.close(),
  }
}
