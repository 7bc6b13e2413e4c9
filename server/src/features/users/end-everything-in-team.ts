import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { orphanRegistrationTokensOf } from '../applications/index.js'
import { revokeApiTokensOf } from '../credentials/index.js'
import { endSessions, killTokensOfTeam } from '../sessions/index.js'

/**
 * A step, when a user is suspended in a team or leaves it: what they have open there ends at the commit, what they allowed its
 * applications too, and links that open it, API tokens and registration access tokens that they made there are dead. Answers how many sessions ended.
 */
export async function endEverythingInTeam(
  tx: Transaction,
  { clock }: { clock: Clock },
  userId: UserId,
  teamId: TeamId,
  why: string,
): Promise<number> {
  await killTokensOfTeam(tx, clock, userId, teamId)
  await revokeApiTokensOf(tx, clock, userId, teamId)
  await orphanRegistrationTokensOf(tx, userId, { team: teamId })
  return endSessions(tx, clock, { user: userId, team: teamId }, why)
}
