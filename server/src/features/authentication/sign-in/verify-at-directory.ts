import { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import { NO_USER, type TeamId } from '../../../platform/ids.js'
import type { ThrottleKey } from '../../../platform/throttle/throttle.js'
import { directoryKey, type PasswordLogin } from '../../passwords/index.js'
import { lockUser } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { countFailure, rejectsAttempt, rejectsRestricted, verifyLockout } from '../limits/account-lockout.js'
import { queueKeyOfAttempt } from '../limits/sign-in-queue.js'
import type { DirectoryProof } from './directory-proof.js'
import { signInTransaction } from './sign-in-transaction.js'

interface DirectoryAttempt {
  email: string
  password: string
  /** The team that the request names, if any. */
  named: TeamId | null
  device: Buffer | undefined
  request: SignInRequest
  /** The account, if the email address is known. */
  login: PasswordLogin | undefined
  /** A team password matched: it is not sent to a directory. */
  isOfTeam: boolean
  /** The account's own password matched: it is not sent to a directory, unless the account is locked. */
  isOwn: boolean
  /** Called before the request to the directory, the duration of which depends on its server. */
  beforeQuery(): void
}

export interface DirectoryResult {
  /** Undefined if no directory was queried. */
  proof: DirectoryProof | undefined
  /** The team of the directory that lists the account. */
  teamId: TeamId | null
  /** The attempt has been counted as a failure against the own password. */
  isCounted: boolean
}

/**
 * Verifies the password at the directory of the account, unless a stored password was correct. Every case does the same work, so that the
 * response time does not reveal the case.
 *
 * A directory that accepts every password must not allow additional guesses of the account's own password. Therefore a mismatch with it is
 * counted before the directory is queried, independent of the result. While the account is locked, a correct own password is treated like
 * a wrong one.
 *
 * A directory that does not respond has not rejected the password; counting that as a failure would lock out users with a correct one.
 * Therefore attempts at the directory have a separate counter, until the directory accepts one. Beyond the limit of the account, the
 * directory is queried once a second.
 */
export async function verifyAtDirectory(
  deps: AccountDeps,
  { email, password, named, device, request, login, isOfTeam, isOwn, beforeQuery }: DirectoryAttempt,
): Promise<DirectoryResult> {
  const result: DirectoryResult = { proof: undefined, teamId: null, isCounted: false }
  let isLimited = false
  const mayBeAsked = (teamId: TeamId) =>
    signInTransaction(deps, queueKeyOfAttempt(email, device), async (tx) => {
      result.teamId = teamId
      // Locks the account before its counters.
      await lockUser(tx, login?.userId ?? NO_USER)
      const lockout = await verifyLockout(tx, deps, { email, device, named, restrictedTo: [teamId] })
      const isKnown = isOfTeam || (isOwn && !rejectsAttempt(lockout, named))
      if (isKnown || rejectsRestricted(lockout, teamId)) return false
      const { limit } = lockout.counters[0]
      const key = directoryKey(email, device)
      isLimited = !(await isAdmitted(tx, deps, key, limit.max))
      if (isLimited) return false
      await deps.throttle.countFailure(tx, key, limit)
      result.isCounted = login?.own != null
      const subject = { userId: login?.userId ?? null, teamId: lockout.attempted, origin: request.origin }
      await countFailure(tx, deps, lockout, subject, { own: result.isCounted, team: false })
      return true
    })
  const mayAsk = async (teamId: TeamId) => {
    const may = await mayBeAsked(teamId)
    if (may) beforeQuery()
    return may
  }
  const proof = await deps.verifyByDirectory({ email, password, teamId: named, mayAsk })
  return { ...result, proof: isLimited ? { outcome: 'unavailable' } : proof }
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
