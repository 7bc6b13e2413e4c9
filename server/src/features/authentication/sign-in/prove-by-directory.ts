import { undefinedOn } from '../../../platform/app-error.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { NO_USER, type TeamId } from '../../../platform/ids.js'
import type { ThrottleKey } from '../../../platform/throttle/throttle.js'
import { directoryKey, type PasswordLogin } from '../../passwords/index.js'
import { lockUser } from '../../users/index.js'
import type { AccountDeps, DirectoryProof } from '../deps.js'
import { countFailure, rejectsAttempt, verifyLockout } from '../limits/account-lockout.js'
import { queueKeyOfAttempt, signInTransaction } from '../limits/sign-in-queue.js'
import type { PasswordProof, StoredMatch } from './stored-password.js'

interface DirectoryAttempt {
  email: string
  password: string
  /** The team that the request names, if any. */
  named: TeamId | null
  device: Buffer | undefined
  origin: RequestOrigin
  /** The account, if the email address is known. */
  login: PasswordLogin | undefined
  /** A team password that matched is not sent to a directory, and the own password only if the account is locked. */
  stored: StoredMatch
  /** Called before the request to the directory, the duration of which depends on its server. */
  beforeQuery(): void
}

export interface DirectoryResult {
  /** Undefined if no directory was queried, or it did not accept the password. */
  proof: PasswordProof | undefined
  /** The directory did not respond, or may not be queried now. */
  isUnavailable: boolean
  /** The team of the directory that lists the account. */
  teamId: TeamId | null
  /** The password is right, but the directory accepts it only after the user has changed it there. */
  isExpired: boolean
  /** The attempt has been counted as a failure against the own password. */
  isCounted: boolean
}

/**
 * Proves a password by the directory of the account, unless a stored password was correct. Every case does the same work, so that the
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
export async function proveByDirectory(
  deps: AccountDeps,
  { email, password, named, device, origin, login, stored, beforeQuery }: DirectoryAttempt,
): Promise<DirectoryResult> {
  const result: DirectoryResult = {
    proof: undefined,
    isUnavailable: false,
    isExpired: false,
    teamId: null,
    isCounted: false,
  }
  const key = directoryKey(email, device)
  const admitQuery = (teamId: TeamId) =>
    signInTransaction(deps, queueKeyOfAttempt(email, device), async (tx) => {
      result.teamId = teamId
      // Locks the account before its counters.
      await lockUser(tx, login?.userId ?? NO_USER)
      const lockout = await verifyLockout(tx, deps, { email, device, named, restrictedTo: [teamId] })
      const isKnown = stored.team || (stored.own && !rejectsAttempt(lockout, null))
      if (isKnown || rejectsAttempt(lockout, teamId)) return false
      const { limit } = lockout.counters[0]
      const admitted = deps.throttle.admitSource(tx, key, limit.max).then(() => true)
      result.isUnavailable = !(await admitted.catch(undefinedOn('rate_limited')))
      if (result.isUnavailable) return false
      await deps.throttle.countFailure(tx, key, limit)
      result.isCounted = login?.own != null
      const subject = { userId: login?.userId ?? null, teamId: lockout.attempted, origin }
      await countFailure(tx, deps, lockout, subject, { own: result.isCounted, team: false })
      return true
    })
  const mayQuery = async (teamId: TeamId) => {
    const isAllowed = await admitQuery(teamId)
    if (isAllowed) beforeQuery()
    return isAllowed
  }
  const verified = await deps.verifyByDirectory({ email, password, teamId: named, mayQuery })
  if (verified === 'unavailable') result.isUnavailable = true
  else if (verified && 'expiredIn' in verified) result.isExpired = true
  else if (verified) result.proof = proofOf(deps, key, verified, origin)
  return result
}

function proofOf(
  { throttle, audit }: AccountDeps,
  key: ThrottleKey,
  { teamId, rejection, origin: originOf }: DirectoryProof,
  origin: RequestOrigin,
): PasswordProof {
  const method = 'directory'
  return {
    restrictedTo: teamId,
    async confirm(tx, user) {
      await throttle.clear(tx, [key])
      const rejected = await rejection(tx)
      if (!rejected) return { method, temporarySetBy: await originOf(tx, user.id), passwordDue: null }
      await audit.record(tx, { userId: user.id, teamId, origin }, 'user.login', {
        result: 'FAILURE',
        resource: `user:${user.id}`,
        metadata: { method, reason: rejected.code },
      })
      return { rejected }
    },
  }
}
