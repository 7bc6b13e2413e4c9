import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { mailFailure } from './mail-failure.js'
import { UNFINISHED } from './outbox-folder.js'

export interface Message {
  id: string
  kind: string
  from: string
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  date: Date
}

export interface Transport {
  /**
   * Sends a message and returns the fields that the log can contain.
   * @throws PermanentFailure if the mail server rejected it for good, another error if a further try can succeed
   */
  send(message: Message): Promise<{ file?: string }>
  /** Closes the connection pool. */
  close(): void
}

/** Returns the message for the library. */
export const compose = ({ from, to, subject, text, html, messageId, date }: Message) => ({
  from,
  // As an address object: a recipient is never parsed as a list.
  to: { name: '', address: to },
  subject,
  text,
  html,
  messageId,
  date,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

export interface SmtpSettings {
  url: string
  /** Whether the transport sends nothing, neither the password nor a mail, without TLS. */
  requireTls: boolean
  /** The maximum of open connections. */
  connections: number
}

/**
 * Sends by SMTP over a pool of connections, with a timeout for every wait. Mails that users requested and mails of teams have separate
 * pools, so that neither waits for the other.
 */
export function smtpTransport({ url, requireTls, connections }: SmtpSettings): Transport {
  const transport = createTransport({
    url: urlOf({ url, requireTls }),
    pool: true,
    maxConnections: connections,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 5_000,
    idleTimeout: 15_000,
  })
  return {
    async send(message) {
      await transport.sendMail(compose(message)).catch((error) => {
        throw mailFailure(error)
      })
      return {}
    },
    close: () => transport.close(),
  }
}

/** Returns the URL of the mail server. TLS is required by a parameter, because those of the URL override other options. */
export function urlOf({ url, requireTls }: Pick<SmtpSettings, 'url' | 'requireTls'>): string {
  const server = new URL(url)
  if (requireTls) server.searchParams.set('requireTLS', 'true')
  return server.href
}

/** Writes each mail to an RFC 5322 file in `folder`. A file is complete as soon as it has its final name. */
export function folderTransport(folder: string): Transport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const send: Transport['send'] = async (message) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { message: content } = await transport.sendMail(compose(message))
    const file = join(folder, `${message.date.toISOString().replace(/[:.]/g, '-')}-${message.kind}-${message.id}.eml`)
    await writeFile(file + UNFINISHED, content as Buffer, { mode: 0o600 })
    await rename(file + UNFINISHED, file)
    return { file }
  }
  return { send, close: () => {} }
}
