import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Undoes quoted-printable (RFC 2045 §6.7) as far as links need it. */
function decoded(mail: string) {
  if (!/content-transfer-encoding:\s*quoted-printable/i.test(mail)) return mail
  return mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function mailsTo(outbox: string, address: string): string[] {
  let names: string[]
  try {
    names = readdirSync(outbox).filter((name) => name.endsWith('.eml'))
  } catch {
    return []
  }
  return names
    .sort()
    .map((name) => decoded(readFileSync(join(outbox, name), 'utf8')))
    .filter((mail) => new RegExp(`^To:.*${address.replace(/[.+]/g, '\\$&')}`, 'im').test(mail))
}

/** Waits for an invitation to `address`: the secret is the last part of its path. */
export const invitationLink = (outbox: string, address: string, before: string[]): Promise<string> =>
  linkTo(outbox, address, (path) => path.startsWith('/invitations/'), before)

/**
 * Waits for a mail to `address` with a link to `path`.
 * @param before links that are already known: only another one counts
 */
export const mailedLink = (outbox: string, address: string, path: string, before: string[] = []): Promise<string> =>
  linkTo(outbox, address, (found) => found === path, before)

async function linkTo(
  outbox: string,
  address: string,
  wanted: (path: string) => boolean,
  before: string[],
): Promise<string> {
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    const links = mailsTo(outbox, address)
      .reverse()
      .flatMap((mail) => mail.match(/https?:\/\/[^\s"'<>]+/g) ?? [])
      .map((link) => link.replaceAll('&#38;', '&'))
      .filter((link) => wanted(new URL(link).pathname) && !before.includes(link))
    if (links[0]) return links[0]
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail to ${address} with that link in ${outbox}.`)
}

export function countMails(outbox: string, address: string) {
  return mailsTo(outbox, address).length
}
