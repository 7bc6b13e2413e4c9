import { mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { type ReceivedMail, readMail } from '../../harness/mailbox.js'
import { COMPANY_MARK } from './marks.js'

/** Delivers the mails of a service to waiting scenarios and reads the outbox once for all of them. */
export interface PostOffice {
  /** Returns the mails to an email address, oldest first. */
  to(email: string): ReceivedMail[]
  /** Returns the mails of a kind; for kinds that name a team, only those of the friendly team. */
  of(email: string, kind: string): ReceivedMail[]
  /** Waits until there are more of these than `before` and returns the newest. @throws Error after ten seconds */
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
    // Workers write concurrently. The ID in the Message-ID has the order of sending.
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
          reject(new Error(`no ${kind} mail for ${email}`))
        }, PATIENCE)
        waiting.add(look)
        look()
      }),
    close: () => watcher.close(),
  }
}
