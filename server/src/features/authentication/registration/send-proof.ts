import type { Transaction } from '../../../platform/db/database.js'
import type { User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { verifyEmailMail } from '../mails.js'
import { sendRequestedLink } from '../recovery/send-requested-link.js'

/** Mails the link that verifies the email address; returns false if the limit of mails allows none. Runs in the caller's transaction. */
export function sendProof(
  tx: Transaction,
  deps: AccountDeps,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<boolean> {
  const link = { kind: 'verify_email', userId: id, email } as const
  return sendRequestedLink(tx, deps, { mail: verifyEmailMail, to: email, link }, (token) => ({
    url: `${deps.config.frontendUrl}/verify-email?token=${token}`,
    email,
  }))
}
