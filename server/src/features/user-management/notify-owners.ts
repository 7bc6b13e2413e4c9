import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import { quotedTeam } from '../../platform/mail/quoted-team.js'
import { mailRecipients } from '../members/index.js'
import { findOrganization } from '../teams/index.js'
import { automationEndedMail } from './mails.js'

const LABELS: Record<string, string> = {
  apiTokensRevoked: 'API tokens',
  scimTokensRevoked: 'SCIM tokens',
  providersOrphaned: 'sign-in providers',
  directoriesOrphaned: 'LDAP directories',
  registrationTokensOrphaned: 'registration access tokens of applications',
}

/**
 * Notifies the owners of a team that automation with the permissions of a member stopped. Beyond the mail limits the audit log is the only
 * record. Runs in the caller's transaction.
 * @param ended number of each kind
 */
export async function notifyOwners(
  tx: Transaction,
  { mailer }: { mailer: Mailer },
  { teamId, userId }: { teamId: TeamId; userId: UserId },
  ended: Record<string, number>,
): Promise<void> {
  const owners = (await mailRecipients(tx, teamId, ['OWNER'])).filter((owner) => owner.userId !== userId)
  if (owners.length === 0) return
  const { name } = await findOrganization(tx, teamId)
  const counts = Object.entries(ended).map(([kind, count]) => `${LABELS[kind] ?? kind}: ${count}`)
  const values = { team: quotedTeam(name, undefined), ended: counts.join(', ') }
  const cause = { teamId, user: null }
  for (const { email } of owners)
    if (await mailer.maySend(tx, automationEndedMail, email, cause))
      await mailer.send(tx, automationEndedMail, email, values, cause)
}
