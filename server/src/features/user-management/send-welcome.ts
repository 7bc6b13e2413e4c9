import type { Transaction } from '../../platform/db/database.js'
import { retryLater } from '../../platform/errors.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { causeOf } from '../../platform/mail/mailer.js'
import { quotedTeam } from '../../platform/mail/quoted-team.js'
import { verifiedSenderEmail } from '../members/index.js'
import { issueOneTimeToken } from '../sessions/index.js'
import type { User } from '../users/index.js'
import type { UserDeps } from './deps.js'
import { welcomeMail } from './mails.js'

/** The sender of a welcome mail and the team. */
export interface WelcomeSender {
  teamId: TeamId
  userId: UserId
  user: { email: string; emailVerified: boolean }
  team: { name: string }
}

/**
 * Mails the user a link that signs in to the team; up to five earlier ones stay valid. Runs in the caller's transaction.
 * @throws rate_limited if the team or the sender sent too many of these mails within a day
 */
export async function sendWelcome(
  tx: Transaction,
  { clock, config, mailer, verifiedDomains }: Pick<UserDeps, 'clock' | 'config' | 'mailer' | 'verifiedDomains'>,
  sender: WelcomeSender,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<void> {
  const { teamId, team, user } = sender
  const cause = causeOf(sender)
  const wait = await mailer.secondsUntilAllowed(tx, welcomeMail, email, cause)
  if (wait > 0) throw retryLater('rate_limited', wait)
  const token = await issueOneTimeToken(tx, clock, { kind: 'welcome', userId: id, teamId, email })
  const values = {
    url: `${config.frontendUrl}/auth/verify?token=${token}`,
    team: quotedTeam(team.name, await verifiedDomains.domainOfTeam(tx, teamId, email)),
    by: await verifiedSenderEmail(tx, teamId, user),
  }
  await mailer.send(tx, welcomeMail, email, values, cause)
}
