import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { AuditSubject } from '../audit/index.js'
import { revokeApiTokensOf } from '../credentials/index.js'
import { endSignInEditor, revokePending } from '../members/index.js'
import { endSessions, killTokensOfTeam } from '../sessions/index.js'
import { cancelImportsOf } from './cancel-imports-of.js'
import type { EndDeps } from './end-deps.js'
import { notifyOwners } from './notify-owners.js'

/** How much ended, for the audit entry; of kinds other than sessions only those of which something ended. */
export type Ended = { sessionsEnded: number } & Record<string, number>

/**
 * Ends what a user has in a team when they are suspended in it or leave it: sessions, grants to its applications, sessions at its SAML
 * applications, links that open it, API tokens, everything that acts with their permissions there, pending invitations and imports, and the
 * temporary passwords that they set for users with more permissions than a plain member. None of it is valid again when they return.
 * Owners are notified of automation that ended. Runs in the caller's transaction, which has locked the account.
 * @param by for the audit entries of invitations and temporary passwords
 */
export async function endEverythingInTeam(
  tx: Transaction,
  deps: EndDeps,
  userId: UserId,
  teamId: TeamId,
  why: string,
  by: AuditSubject,
): Promise<Ended> {
  const { clock, audit, mailer, endWhatActsFor, endSamlSessions, endTemporaryOf } = deps
  const subject = { ...by, teamId }
  await killTokensOfTeam(tx, clock, userId, teamId)
  // Sessions and tokens first: what was being saved with them is there when the rest ends.
  const apiTokensRevoked = await revokeApiTokensOf(tx, clock, userId, teamId)
  const sessionsEnded = await endSessions(tx, clock, { user: userId, team: teamId }, why)
  await endSamlSessions(tx, userId, teamId)
  const acting = Object.entries(await endWhatActsFor(tx, userId, { team: teamId }))
  await endSignInEditor(tx, userId, teamId)
  // After the sessions, in which the user may have been setting one.
  await endTemporaryOf(tx, { userId, teamId }, subject)
  const invitations = await revokePending(tx, clock, { inviter: userId, team: teamId })
  for (const { id } of invitations)
    await audit.record(tx, subject, 'invitation.revoked', { resource: `invitation:${id}` })
  const importsCancelled = (await cancelImportsOf(tx, deps, userId, { team: teamId })).length
  const counts = [
    ['apiTokensRevoked', apiTokensRevoked] as const,
    ...acting.map(([kind, teams]) => [kind, teams.length] as const),
  ]
  const automation = endedOf(counts)
  if (Object.keys(automation).length > 0) await notifyOwners(tx, { mailer }, { teamId, userId }, automation)
  const pending = endedOf([
    ['invitationsRevoked', invitations.length],
    ['importsCancelled', importsCancelled],
  ])
  return { sessionsEnded, ...automation, ...pending }
}

const endedOf = (counts: (readonly [kind: string, count: number])[]): Record<string, number> =>
  Object.fromEntries(counts.filter(([, count]) => count > 0))
