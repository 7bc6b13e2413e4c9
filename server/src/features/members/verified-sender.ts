import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { homeTeamOf } from '../teams/index.js'

/**
 * Returns the email address that mails of the team show as a member's; null if it is unverified, because anyone can register any email
 * address. In the home team it counts as verified. Runs in the caller's transaction.
 */
export async function verifiedSenderEmail(
  tx: Transaction,
  teamId: TeamId,
  { email, emailVerified }: { email: string; emailVerified: boolean },
): Promise<string | null> {
  return emailVerified || (await homeTeamOf(tx, email)) === teamId ? email : null
}
