import type { Transaction } from '../../platform/db/database.js'
import type { User } from '../identities/index.js'
import { issueOneTimeToken } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'
import { verifyEmailMail } from './mails.js'

/** A step: mails the link that proves the address. False, and the earlier link stays good, when the hour's mails are used up. */
export async function sendProof(
  tx: Transaction,
  { clock, config, mailer }: AccountDeps,
  user: Pick<User, 'id' | 'email'>,
): Promise<boolean> {
  if (!(await mailer.maySend(tx, verifyEmailMail, user.email))) return false
  const token = await issueOneTimeToken(tx, clock, { kind: 'verify_email', userId: user.id, email: user.email })
  const url = `${config.frontendUrl}/verify-email?token=${token}`
  await mailer.send(tx, verifyEmailMail, user.email, { url, email: user.email })
  return true
}
