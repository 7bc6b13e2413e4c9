import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { homeTeamOf } from '../teams/index.js'

/**
 * Returns the email address of a member as mails of the team show it; null unless the owner has verified it or the team is the home team:
 * anyone can register any address. Runs in the caller's transaction.
 */
export async function verifiedSender(
  tx: Transaction,
  teamId: TeamId,
  { email, emailVerified }: { email: string; emailVerified: boolean },
): Promise<string | null> {
  return emailVerified || (await homeTeamOf(tx, email)) === teamId ? email : null
}
