import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import { revokeApiTokensOf } from '../credentials/index.js'
import { endSignInEditor } from '../members/index.js'
import { type DelegatedBy, endSessions, killTokensOfTeam } from '../sessions/index.js'
import { notifyOwners } from './notify-owners.js'

export interface EndDeps {
  clock: Clock
  mailer: Mailer
  /**
   * Ends what acts with the permissions of a user, in any team or as `which` says: SCIM tokens, registration access tokens, providers and
   * directories. It does not act again when the user returns, but when another member saves it. Returns the team of each, by kind. Runs
   * in the caller's transaction.
   */
  endWhatActsFor: (tx: Transaction, userId: UserId, which?: DelegatedBy) => Promise<Record<string, TeamId[]>>
  /** Ends what the user's sessions are to the SAML applications of a team. Runs in the caller's transaction. */
  endSamlSessions: (tx: Transaction, userId: UserId, teamId: TeamId) => Promise<void>
}

/** How much ended, for the audit entry; of kinds other than sessions only those of which something ended. */
export type Ended = { sessionsEnded: number } & Record<string, number>

/**
 * Ends what a user has in a team when they are suspended in it or leave it: sessions, grants to its applications, sessions at its SAML applications, links that open it, API
 * tokens, and everything that acts with their permissions there. None of it is valid again when they return, and owners are notified of
 * it. Runs in the caller's transaction, which has locked the account.
 */
export async function endEverythingInTeam(
  tx: Transaction,
  { clock, mailer, endWhatActsFor, endSamlSessions }: EndDeps,
  userId: UserId,
  teamId: TeamId,
  why: string,
): Promise<Ended> {
  await killTokensOfTeam(tx, clock, userId, teamId)
  // Sessions and tokens first: what was being saved with them is there when the rest ends.
  const apiTokensRevoked = await revokeApiTokensOf(tx, clock, userId, teamId)
  const sessionsEnded = await endSessions(tx, clock, { user: userId, team: teamId }, why)
  await endSamlSessions(tx, userId, teamId)
  const acting = Object.entries(await endWhatActsFor(tx, userId, { team: teamId }))
  await endSignInEditor(tx, userId, teamId)
  const counts = [
    ['apiTokensRevoked', apiTokensRevoked] as const,
    ...acting.map(([kind, teams]) => [kind, teams.length] as const),
  ]
  const ended = Object.fromEntries(counts.filter(([, count]) => count > 0))
  if (Object.keys(ended).length > 0) await notifyOwners(tx, { mailer }, { teamId, userId }, ended)
  return { sessionsEnded, ...ended }
}
