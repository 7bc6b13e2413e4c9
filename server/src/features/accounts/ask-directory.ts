import { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import type { ThrottleKey } from '../../platform/throttle/throttle.js'
import { directoryKey } from '../credentials/index.js'
import { closesTeams, judgeLockout, refusesAttempt } from './account-lockout.js'
import type { AccountDeps } from './deps.js'
import type { DirectoryProof } from './directory-proof.js'

interface Asked {
  email: string
  password: string
  /** The team that the request names, if any. */
  teamId: TeamId | null
  device: Buffer | undefined
  /** Whether it is a password that is stored here: then no directory gets it. */
  right: boolean
}

/**
 * Asks the directory of an account, unless a stored password was right or the account is locked. Each case does the same work here, so
 * that the time does not show which it is.
 *
 * A directory that does not answer has not rejected the password, or its users would lock themselves out with the right one. So each
 * attempt there is counted by itself, until the directory accepts one: beyond as many as an account may fail it is asked once a second.
 */
export async function askDirectory(
  deps: AccountDeps,
  { email, password, teamId, device, right }: Asked,
): Promise<DirectoryProof | undefined> {
  let isTooMany = false
  const mayAsk = () =>
    deps.db.transaction(async (tx) => {
      const lockout = await judgeLockout(tx, deps, { email, device, named: teamId })
      // A directory opens its own team alone.
      const isClosed = teamId === null ? closesTeams(lockout) : refusesAttempt(lockout, teamId)
      if (right || isClosed) return false
      const { limit } = lockout.counters[0]
      const key = directoryKey(email, device)
      isTooMany = !(await isAdmitted(tx, deps, key, limit.most))
      if (isTooMany) return false
      await deps.throttle.countFailure(tx, key, limit)
      return true
    })
  const proof = await deps.proveByDirectory({ email, password, teamId, mayAsk })
  return isTooMany ? { outcome: 'unavailable' } : proof
}

async function isAdmitted(
  tx: Transaction,
  { throttle }: Pick<AccountDeps, 'throttle'>,
  key: ThrottleKey,
  most: number,
): Promise<boolean> {
  try {
    await throttle.admitSource(tx, key, most)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false
    throw error
  }
}
