import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { retryLater } from '../../platform/errors.js'
import type { TeamId } from '../../platform/ids.js'
import { createUser, findUserByEmail, lockUser, type User } from '../identities/index.js'
import type { TeamProfile } from '../members/index.js'

const ATTEMPTS = 3

/**
 * A step: the account of the address, locked; made for the team when there is none, with this profile for its own.
 * @param email normalized
 */
export async function accountFor(
  tx: Transaction,
  { clock }: { clock: Clock },
  teamId: TeamId,
  { email, profile }: { email: string; profile: TeamProfile },
): Promise<{ account: User; isNew: boolean }> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const made = await createUser(tx, clock, { email, ...profile, selfRegistered: false, madeByTeamId: teamId })
    if (made) return { account: made, isNew: true }
    const known = await findUserByEmail(tx, email)
    const account = known && (await lockUser(tx, known.id))
    if (account?.email === email) return { account, isNew: false }
    // Deleted, or of another address by now: the address may be free.
  }
  throw retryLater('unavailable', 1)
}
