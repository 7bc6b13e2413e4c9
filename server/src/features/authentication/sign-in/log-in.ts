import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { retryLater } from '../../../platform/errors.js'
import { NO_USER } from '../../../platform/ids.js'
import { findPasswordLogin, type PasswordLogin } from '../../passwords/index.js'
import { teamNamed } from '../../teams/index.js'
import { lockUser, normalizeEmail, type User } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { rejection, wrongCredentials } from '../errors.js'
import {
  countFailure,
  forgottenBySuccess,
  isLockedForPassword,
  type Lockout,
  logsLock,
  rejectsAttempt,
  verifyLockout,
} from '../limits/account-lockout.js'
import { admitSource, countSourceFailure } from '../limits/sign-in-limits.js'
import { queueKeyOfAttempt, signInTransaction } from '../limits/sign-in-queue.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import type { SignedIn, SignInOutcome } from '../pipeline/sign-in-step.js'
import { type DirectoryResult, proveByDirectory } from './prove-by-directory.js'
import { proveByStored, type StoredMatch } from './stored-password.js'

interface Attempt {
  email: string
  password: string
  /** The ID of the team or its slug. */
  teamId?: string
}

/** Seconds after which the client may retry a directory that did not respond. */
const DIRECTORY_AWAY = 5

/**
 * Signs in with a password: a team password, the account's own, or that of a team's directory, in this order. An unknown email address, an
 * account without a password, a locked account and a wrong password cause the same work and the same response.
 * @throws invalid_credentials, rate_limited; unavailable if the directory that may know the password does not respond; after a correct
 *   password not_a_member, team_suspended, account_suspended, directory_password_expired, directory_orphaned, role_protected
 */
export async function logIn(allDeps: AccountDeps, attempt: Attempt, request: SignInRequest): Promise<SignedIn> {
  const { db, hasher } = allDeps
  // Before the first query, so that requests that the full queue rejects do not load the database.
  using place = hasher.reserve()
  const email = normalizeEmail(attempt.email)
  await admitSource(allDeps, 'sign-in', request.origin)
  const deviceHash = request.deviceToken ? tokenHash(request.deviceToken) : null
  const named = attempt.teamId === undefined ? null : await teamNamed(db, attempt.teamId)
  const login = await findPasswordLogin(db, email, deviceHash, named)
  const device = (login?.knownDevice && deviceHash) || undefined

  const stored = await proveByStored(allDeps, login, attempt.password)
  // Looks for a directory for every email address, known or not.
  const directory = await proveByDirectory(allDeps, {
    email,
    password: attempt.password,
    named,
    device,
    origin: request.origin,
    login,
    stored,
    // All hashes are computed: a directory that does not respond must not block sign-ins of other users.
    beforeQuery: () => place[Symbol.dispose](),
  })
  // A directory that did not respond has not rejected the password; a stored password has.
  const isUnverified = directory.isUnavailable && !login?.own && !login?.team

  const outcome = await signInTransaction(allDeps, queueKeyOfAttempt(email, device), async (tx, deps) => {
    // Locks the account before its counters. For an unknown email address the same statement locks nothing.
    const account = await lockUser(tx, login?.userId ?? NO_USER)
    const restrictedTo = [login?.team?.restrictedTo, directory.teamId].filter((id) => id != null)
    const lockout = await verifyLockout(tx, deps, { email, device, named, restrictedTo })
    return admit(tx, deps, { account, login, lockout, stored, directory, isUnverified, request })
  })
  if ('rejected' in outcome && isUnverified) throw retryLater('unavailable', DIRECTORY_AWAY)
  return sessionOf(outcome)
}

interface ProvedAttempt {
  /** The locked account; undefined if it does not exist. */
  account: User | undefined
  login: PasswordLogin | undefined
  lockout: Lockout
  stored: StoredMatch
  directory: DirectoryResult
  /** The directory of the account did not respond, so the password was not verified. */
  isUnverified: boolean
  request: SignInRequest
}

/** Signs the user in with the password that one of the provers accepted, unless a lockout rejects it. Runs in the caller's transaction. */
async function admit(tx: Transaction, deps: AccountDeps, attempt: ProvedAttempt): Promise<SignInOutcome> {
  const { account, lockout, stored, directory, request } = attempt
  const proof = directory.proof ?? stored.proof
  // A restricted credential is valid in one team, and only the counters of that team lock it.
  // An expired directory password is such a credential.
  const expiredIn = directory.isExpired ? directory.teamId : null
  const locked = rejectsAttempt(lockout, proof ? (proof.restrictedTo ?? null) : expiredIn)
  if (!account || !proof || locked) return reject(tx, deps, attempt, locked)
  const confirmed = await proof.confirm(tx, account)
  if (!confirmed) return reject(tx, deps, attempt, locked)
  if ('rejected' in confirmed) return confirmed
  const done = await signIn(tx, deps, {
    user: account,
    amr: ['pwd'],
    restrictedToTeam: proof.restrictedTo,
    wantedTeam: lockout.scope.named,
    ...confirmed,
    ...(!proof.restrictedTo && {
      isLockedOut: isLockedForPassword(deps, lockout),
      locksOwnTeam: lockout.locksOwnTeam,
    }),
    request,
  })
  // Do not reset the counters on a correct password alone: it would allow unlimited guesses of the second factor.
  if ('session' in done) await deps.throttle.clear(tx, forgottenBySuccess(lockout, proof.restrictedTo))
  return done
}

/** Records and counts a rejected password. A correct one that a lockout rejects is not a failure; one that was replaced meanwhile is. */
async function reject(
  tx: Transaction,
  deps: AccountDeps,
  { login, lockout, stored, directory, isUnverified, request }: ProvedAttempt,
  locked: boolean,
): Promise<SignInOutcome> {
  await countSourceFailure(tx, deps, 'sign-in', request.origin)
  const subject = { userId: login?.userId ?? null, teamId: lockout.attempted, origin: request.origin }
  const wrong = login ? 'wrong_password' : 'unknown_account'
  // Only the user knows the right password, and a lockout rejects that as well.
  const isExpired = directory.isExpired && !stored.proof && !locked
  const unverified = isUnverified ? 'directory_away' : wrong
  const reason = locked && logsLock(lockout) ? 'locked' : isExpired ? 'directory_password_expired' : unverified
  const metadata = { method: 'password', reason, email: lockout.scope.email }
  await deps.audit.record(tx, subject, 'user.login', { result: 'FAILURE', metadata })
  const failed = { own: !(locked && stored.proof) && !directory.isCounted, team: !(locked && stored.team) }
  if (!isUnverified) await countFailure(tx, deps, lockout, subject, failed)
  return { rejected: isExpired ? rejection('directory_password_expired') : wrongCredentials() }
}
