import { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import { parseId, type TeamId } from '../../platform/ids.js'
import type { ThrottleKey } from '../../platform/throttle/throttle.js'
import { directoryKey } from '../credentials/index.js'
import { judgeLockout, refusesAttempt } from './account-lockout.js'
import type { AccountDeps } from './deps.js'
import type { DirectoryProof } from './directory-proof.js'

interface Asked {
  email: string
  password: string
  teamId: string | null
  device: Buffer | undefined
  /** Whether it is the account's own password. */
  right: boolean
}

/**
 * Asks the directory of an account, unless the account's own password was right, or the account is closed: then nobody guesses there
 * either. Which of these it is changes nothing of what is done here, so that nobody can tell a right password from how long it takes.
 *
 * What a directory that is away has not judged is no failure, or its people would lock themselves out with the right password. So each try
 * there is counted by itself, until the directory takes one: beyond as many as an account may fail it is asked once a second.
 * @returns `isOwnClosed`: whether the account's own password opens nothing meanwhile, or the guesses of it that go by an absent directory
 *   would count nowhere
 */
export async function askDirectory(
  deps: AccountDeps,
  { email, password, teamId, device, right }: Asked,
): Promise<{ proof: DirectoryProof | undefined; isOwnClosed: boolean }> {
  const wanted = teamId === null ? null : parseId<TeamId>(teamId)
  if (wanted === undefined) return { proof: undefined, isOwnClosed: false }
  let isOwnClosed = false
  let isTooMany = false
  const mayAsk = () =>
    deps.db.transaction(async (tx) => {
      const lockout = await judgeLockout(tx, deps, email, device)
      if (refusesAttempt(lockout, teamId)) return false
      const { limit } = lockout.counters[0]
      const key = directoryKey(email, device)
      isOwnClosed = limit.most > 0 && (await deps.throttle.counted(tx, [key])) >= limit.most
      if (right && !isOwnClosed) return false
      isTooMany = !(await isAdmitted(tx, deps, key, limit.most))
      if (isTooMany) return false
      await deps.throttle.countFailure(tx, key, limit)
      return true
    })
  const proof = await deps.proveByDirectory({ email, password, teamId: wanted, mayAsk })
  return { proof: isTooMany ? { outcome: 'unavailable' } : proof, isOwnClosed }
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
