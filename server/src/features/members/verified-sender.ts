import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { homeTeamOf } from '../teams/index.js'

/**
 * Returns a member's email address as the team's mails show it; null unless it is verified or the team is the home team, because anyone can
 * register any address. Runs in the caller's transaction.
 */
export async function verifiedSender(
  tx: Transaction,
  teamId: TeamId,
  { email, emailVerified }: { email: string; emailVerified: boolean },
): Promise<string | null> {
  return emailVerified || (await homeTeamOf(tx, email)) === teamId ? email : null
}
