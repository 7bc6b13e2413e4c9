import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface ReceivedMail {
  kind: string
  to: string
  from: string
  subject: string
  messageId: string
  text: string
  html: string
  /** The first URL in the plain-text part. */
  link: string
}

const decode = (part: string): string => {
  const [head = '', ...body] = part.split('\r\n\r\n')
  const content = body.join('\r\n\r\n')
  if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(head)) return content
  const bytes = content
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function parse(file: string, raw: string): ReceivedMail {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? ''
  const boundary = /boundary="?([^";]+)/.exec(head)?.[1] ?? ''
  const [, plain = '', html = ''] = raw.split(`--${boundary}`)
  const text = decode(plain.trimStart()).replaceAll('\r\n', '\n')
  const kind = /Z-(\w+)-[0-9a-f]{8}-/.exec(file)?.[1] ?? ''
  return {
    kind,
    to: header('To'),
    from: header('From'),
    subject: header('Subject'),
    messageId: header('Message-ID'),
    text,
    html: decode(html.trimStart()),
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? '',
  }
}

/** Parsed mails by path. A written mail does not change. */
const parsed = new Map<string, ReceivedMail>()

/** Reads one mail of the outbox. */
export function readMail(folder: string, file: string): ReceivedMail {
  const path = join(folder, file)
  const known = parsed.get(path)
  if (known) return known
  // Opening a file asynchronously costs several times as much.
  const mail = parse(file, readFileSync(path, 'utf8'))
  parsed.set(path, mail)
  return mail
}

/** Reads the mails in the outbox folder, oldest first. */
export async function readMails(dataDir: string): Promise<ReceivedMail[]> {
  const folder = join(dataDir, 'outbox')
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  return files.map((file) => readMail(folder, file))
}

export const tokenIn = (mail: ReceivedMail): string => new URL(mail.link).searchParams.get('token') ?? ''
