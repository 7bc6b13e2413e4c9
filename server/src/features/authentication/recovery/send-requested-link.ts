import type { Transaction } from '../../../platform/db/database.js'
import type { MailKind } from '../../../platform/mail/mail-kind.js'
import type { MailCause } from '../../../platform/mail/mailer.js'
import { type RequestedLink, requestedLink } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'

/**
 * Mails a requested link. Beyond the hourly limit, the newest valid link is sent again, at most once a minute. Returns false if no mail was
 * sent. Runs in the caller's transaction, which has locked the account.
 * @param to the recipient, which may differ from the email address of the account
 * @param cause the team whose administrator requested the link: the limit of the team applies, and no link is sent again
 * @param valuesFor returns the values of the mail with this token
 */
export async function sendRequestedLink<Values extends Record<string, string | number | null>>(
  tx: Transaction,
  { clock, keys, mailer }: Pick<AccountDeps, 'clock' | 'keys' | 'mailer'>,
  { mail, to, link, cause }: { mail: MailKind<Values>; to: string; link: RequestedLink; cause?: MailCause | undefined },
  valuesFor: (token: string) => Values,
): Promise<boolean> {
  const withinLimit = await mailer.maySend(tx, mail, to, cause)
  if (!withinLimit && (cause || !(await mailer.mayRepeat(tx, mail, to)))) return false
  const token = await requestedLink(tx, { clock, keys }, link, { repeatOnly: !withinLimit })
  await mailer.send(tx, mail, to, valuesFor(token), cause)
  return true
}
