import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { AccountDeps } from './deps.js'
import { passwordChangedMail } from './mails.js'

/** A step: tells the owner, so that a change that was not theirs does not stay unseen. */
export async function sendPasswordChanged(
  tx: Transaction,
  { clock, config, mailer }: AccountDeps,
  email: string,
  origin: RequestOrigin,
): Promise<void> {
  if (!(await mailer.maySend(tx, passwordChangedMail, email))) return
  const when = `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  await mailer.send(tx, passwordChangedMail, email, {
    when,
    ip: origin.ip,
    url: `${config.frontendUrl}/forgot-password`,
  })
}
