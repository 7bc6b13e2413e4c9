import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

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

/** Hands a finished message over; answers what the log may say about it. @throws when it was not taken */
export type Transport = (message: Message) => Promise<{ file?: string }>

const compose = ({ from, to, subject, text, html, messageId, date }: Message) => ({
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

/** By SMTP, with limits on every wait: a server that hangs costs this job half a minute and nobody else anything. */
export function smtpTransport(url: string): Transport {
  const transport = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 5_000,
  })
  return async (message) => {
    await transport.sendMail(compose(message))
    return {}
  }
}

/** One RFC 5322 file a mail in `folder`, whole from the moment that it has its name. */
export function folderTransport(folder: string): Transport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return async (message) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { message: content } = await transport.sendMail(compose(message))
    const file = join(folder, `${message.date.toISOString().replace(/[:.]/g, '-')}-${message.kind}-${message.id}.eml`)
    await writeFile(`${file}.part`, content as Buffer, { mode: 0o600 })
    await rename(`${file}.part`, file)
    return { file }
  }
}
