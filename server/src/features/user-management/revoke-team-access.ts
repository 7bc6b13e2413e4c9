import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { API_TOKENS, revokeTokensOf } from '../access-tokens/index.js'
import type { AuditSubject } from '../audit/index.js'
import { revokeSignInEditor } from '../members/index.js'
import { endSessions, revokeTokensOfTeam } from '../sessions/index.js'
import type { EndDeps } from './deps.js'
import { notifyOwners } from './notify-of-automation.js'
import { revokeInvitationsOf } from './revoke-invitations-of.js'
import { cancelRunsStartedBy } from './runs/cancel-runs.js'

/** What was revoked, as counts for the audit entry. Counts of zero are omitted, except that of sessions. */
export type RevokedCounts = { sessionsEnded: number } & Record<string, number>

/**
 * Revokes the access of a user who is suspended in a team or leaves it: sessions, grants to its applications, SAML sessions, links, API
 * tokens, delegated permissions, pending invitations, imports, and the temporary passwords that they set for users with more permissions
 * than the role MEMBER. They stay revoked when the user returns. Notifies owners of automation that stopped. Runs in the
 * caller's transaction, which has locked the account.
 * @param by actor of the audit entries for invitations and temporary passwords
 */
export async function revokeTeamAccess(
  tx: Transaction,
  deps: EndDeps,
  userId: UserId,
  teamId: TeamId,
  why: string,
  by: AuditSubject,
): Promise<RevokedCounts> {
  const { clock, mailer, revokeDelegated, endSamlSessions, endTemporaryOf } = deps
  const subject = { ...by, teamId }
  await revokeTokensOfTeam(tx, clock, userId, teamId)
  // Sessions and tokens first: rows that are being saved with them are visible to the revocations below.
  const apiTokensRevoked = (await revokeTokensOf(tx, clock, API_TOKENS, userId, { team: teamId })).length
  const sessionsEnded = await endSessions(tx, clock, { user: userId, team: teamId }, why)
  await endSamlSessions(tx, userId, teamId)
  const acting = Object.entries(await revokeDelegated(tx, userId, { team: teamId }))
  await revokeSignInEditor(tx, userId, teamId)
  endTemporaryOf(tx, { userId, teamId }, subject)
  // Runs before invitations, in the order of a batch of an import.
  const importsCancelled = (await cancelRunsStartedBy(tx, deps, userId, { team: teamId })).length
  const invitationsRevoked = await revokeInvitationsOf(tx, deps, subject, userId)
  const counts = [
    ['apiTokensRevoked', apiTokensRevoked] as const,
    ...acting.map(([kind, teams]) => [kind, teams.length] as const),
  ]
  const automation = nonZero(counts)
  if (Object.keys(automation).length > 0) await notifyOwners(tx, { mailer }, { teamId, userId }, automation)
  const pending = nonZero([
    ['invitationsRevoked', invitationsRevoked],
    ['importsCancelled', importsCancelled],
  ])
  return { sessionsEnded, ...automation, ...pending }
}

const nonZero = (counts: (readonly [kind: string, count: number])[]): Record<string, number> =>
  Object.fromEntries(counts.filter(([, count]) => count > 0))
