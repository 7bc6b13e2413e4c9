import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import { causeOfSession } from '../../../platform/mail/mailer.js'
import type { AccountDeps } from '../deps.js'
import { passwordChangedMail } from '../mails.js'

/**
 * Notifies the user of a password change by mail. Runs in the caller's transaction.
 * @param causedBy the team to which the changing session is restricted; its mails have a separate limit
 */
export async function sendPasswordChanged(
  tx: Transaction,
  { clock, config, mailer }: AccountDeps,
  email: string,
  origin: RequestOrigin,
  causedBy: TeamId | null = null,
): Promise<void> {
  const cause = causeOfSession(causedBy)
  if (!(await mailer.maySend(tx, passwordChangedMail, email, cause))) return
  const when = `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const values = { when, ip: origin.ip, url: `${config.frontendUrl}/forgot-password` }
  await mailer.send(tx, passwordChangedMail, email, values, cause)
}
