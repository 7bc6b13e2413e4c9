import { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import { NO_USER, type TeamId } from '../../../platform/ids.js'
import type { ThrottleKey } from '../../../platform/throttle/throttle.js'
import { directoryKey, type PasswordLogin } from '../../credentials/index.js'
import { lockUser } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { countFailure, rejectsAttempt, rejectsRestricted, verifyLockout } from '../limits/account-lockout.js'
import { queueKeyOfAttempt } from '../limits/sign-in-queue.js'
import type { DirectoryProof } from './directory-proof.js'
import { signInTransaction } from './sign-in-transaction.js'

interface Asked {
  email: string
  password: string
  /** The team that the request names, if any. */
  named: TeamId | null
  device: Buffer | undefined
  request: SignInRequest
  /** The account, if the email address is known. */
  login: PasswordLogin | undefined
  /** The password of a team matched: no directory receives it. */
  isOfTeam: boolean
  /** The own password matched: no directory receives it, unless the account is locked. */
  isOwn: boolean
  /** Called before the request to the directory, whose server decides how long it takes. */
  beforeAsking(): void
}

export interface DirectoryResult {
  /** Undefined where no directory was asked. */
  proof: DirectoryProof | undefined
  /** The team of the directory that lists the account. */
  teamId: TeamId | null
  /** The attempt has been counted as a failure against the own password. */
  isCounted: boolean
}

/**
 * Asks the directory of an account, unless a stored password was correct. Each case does the same work here, so that the time does not show
 * which it is.
 *
 * A directory that accepts every password must not allow more guesses of the own password. So a mismatch with the own password is counted
 * before the directory is asked, whatever it answers; and while the account is locked, a correct own password is treated like a wrong one.
 *
 * A directory that does not answer has not rejected the password, or its users would lock themselves out with the right one. So each
 * attempt there is counted by itself, until the directory accepts one: beyond as many as an account may fail it is asked once a second.
 */
export async function verifyAtDirectory(
  deps: AccountDeps,
  { email, password, named, device, request, login, isOfTeam, isOwn, beforeAsking }: Asked,
): Promise<DirectoryResult> {
  const answer: DirectoryResult = { proof: undefined, teamId: null, isCounted: false }
  let isLimited = false
  const mayBeAsked = (teamId: TeamId) =>
    signInTransaction(deps, queueKeyOfAttempt(email, device), async (tx) => {
      answer.teamId = teamId
      // The account before its counters.
      await lockUser(tx, login?.userId ?? NO_USER)
      const lockout = await verifyLockout(tx, deps, { email, device, named, restrictedTo: [teamId] })
      const isKnown = isOfTeam || (isOwn && !rejectsAttempt(lockout, named))
      if (isKnown || rejectsRestricted(lockout, teamId)) return false
      const { limit } = lockout.counters[0]
      const key = directoryKey(email, device)
      isLimited = !(await isAdmitted(tx, deps, key, limit.most))
      if (isLimited) return false
      await deps.throttle.countFailure(tx, key, limit)
      answer.isCounted = login?.own != null
      const subject = { userId: login?.userId ?? null, teamId: lockout.attempted, origin: request.origin }
      await countFailure(tx, deps, lockout, subject, { own: answer.isCounted, team: false })
      return true
    })
  const mayAsk = async (teamId: TeamId) => {
    const may = await mayBeAsked(teamId)
    if (may) beforeAsking()
    return may
  }
  const proof = await deps.proveByDirectory({ email, password, teamId: named, mayAsk })
  return { ...answer, proof: isLimited ? { outcome: 'unavailable' } : proof }
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
