import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { MailKind } from '../../platform/mail/mail-kind.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import { quotedTeam } from '../../platform/mail/quoted-team.js'
import { mailRecipients } from '../members/index.js'
import { permissionsOf } from '../permissions/index.js'
import { findOrganization } from '../teams/index.js'
import { automationEndedMail, automationReducedMail } from './mails.js'

interface OfMember {
  teamId: TeamId
  userId: UserId
}

const LABELS: Record<string, string> = {
  apiTokens: 'API tokens',
  scimTokens: 'SCIM tokens',
  providers: 'sign-in providers',
  directories: 'LDAP directories',
  registrationTokens: 'registration access tokens of applications',
}

/**
 * Notifies the owners of a team that automation with the permissions of a member stopped. Beyond the mail limits the audit log is the only
 * record. Runs in the caller's transaction.
 * @param ended number of each kind
 */
export const notifyOwners = (
  tx: Transaction,
  deps: { mailer: Mailer },
  member: OfMember,
  ended: Record<string, number>,
): Promise<void> => sendToOwners(tx, deps, member, automationEndedMail, (team) => ({ team, ended: describe(ended) }))

const automationOf = namedQuery<Record<string, number>, [UserId, TeamId, Date]>(
  'users.automation_of',
  `SELECT
    (SELECT count(*)::int FROM api_tokens WHERE created_by = $1 AND organization_id = $2
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)) AS "apiTokens",
    (SELECT count(*)::int FROM scim_tokens WHERE created_by = $1 AND organization_id = $2
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)) AS "scimTokens",
    (SELECT count(*)::int FROM sso_providers WHERE saved_by = $1 AND organization_id = $2) AS "providers",
    (SELECT count(*)::int FROM directories WHERE saved_by = $1 AND organization_id = $2) AS "directories",
    (SELECT count(*)::int FROM applications WHERE registration_token_by = $1 AND organization_id = $2) AS "registrationTokens"`,
)

/**
 * Notifies the owners of a team that automation lost permissions because its creator or last editor was given a role with fewer. Runs in the
 * caller's transaction.
 */
export async function notifyOfLostPermissions(
  tx: Transaction,
  deps: { clock: Clock; mailer: Mailer },
  { userId, teamId, from, to }: OfMember & { from: string; to: string },
): Promise<void> {
  const remaining = permissionsOf(to)
  if ([...permissionsOf(from)].every((permission) => remaining.has(permission))) return
  const [found = {}] = await tx.run(automationOf, [userId, teamId, deps.clock.now()])
  const automation = Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0))
  if (Object.keys(automation).length === 0) return
  const values = (team: string) => ({ team, automation: describe(automation) })
  await sendToOwners(tx, deps, { teamId, userId }, automationReducedMail, values)
}

/** @param counts by kind, which may name what happened to it too, as `apiTokensRevoked` does */
const describe = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${LABELS[kind.replace(/(Revoked|Orphaned)$/, '')] ?? kind}: ${count}`)
    .join(', ')

/** Sends a mail to the owners but the member. Runs in the caller's transaction. */
async function sendToOwners<Values extends Record<string, string | number | null>>(
  tx: Transaction,
  { mailer }: { mailer: Mailer },
  { teamId, userId }: OfMember,
  mail: MailKind<Values>,
  valuesOf: (team: string) => Values,
): Promise<void> {
  const owners = (await mailRecipients(tx, teamId, ['OWNER'])).filter((owner) => owner.userId !== userId)
  if (owners.length === 0) return
  const { name } = await findOrganization(tx, teamId)
  const values = valuesOf(quotedTeam(name, undefined))
  const cause = { teamId, user: null }
  for (const { email } of owners)
    if (await mailer.maySend(tx, mail, email, cause)) await mailer.send(tx, mail, email, values, cause)
}
