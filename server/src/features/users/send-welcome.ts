import { HOUR } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { retryLater } from '../../platform/errors.js'
import type { TeamId } from '../../platform/ids.js'
import type { User } from '../identities/index.js'
import { issueOneTimeToken } from '../sessions/index.js'
import type { UserDeps } from './deps.js'
import { welcomeMail } from './mails.js'

/** Who welcomes, and to which team. */
export interface Welcoming {
  teamId: TeamId
  user: { email: string; firstName: string | null; lastName: string | null }
  team: { name: string }
}

/**
 * A step: mails the user a link that signs in to the team; an earlier one of the team is dead.
 * @throws rate_limited when the address got too many of these mails within the hour
 */
export async function sendWelcome(
  tx: Transaction,
  { clock, config, mailer }: Pick<UserDeps, 'clock' | 'config' | 'mailer'>,
  actor: Welcoming,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<void> {
  if (!(await mailer.maySend(tx, welcomeMail, email))) throw retryLater('rate_limited', HOUR / 1_000)
  const token = await issueOneTimeToken(tx, clock, { kind: 'welcome', userId: id, teamId: actor.teamId, email })
  const { firstName, lastName, email: own } = actor.user
  await mailer.send(tx, welcomeMail, email, {
    url: `${config.frontendUrl}/auth/verify?token=${token}`,
    team: actor.team.name,
    by: [firstName, lastName].filter(Boolean).join(' ') || own,
  })
}
