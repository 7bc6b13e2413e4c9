import type { PasswordHasher } from '../../../platform/crypto/password-hash.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { retryLater } from '../../../platform/errors.js'
import { NO_USER, type TeamId } from '../../../platform/ids.js'
import {
  currentPassword,
  directoryKey,
  findPasswordLogin,
  type PasswordLogin,
  type StoredPassword,
  upgradeHash,
} from '../../passwords/index.js'
import type { IssuedSession } from '../../sessions/index.js'
import { teamNamed } from '../../teams/index.js'
import { lockUser, normalizeEmail, type User } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { wrongCredentials } from '../errors.js'
import {
  countFailure,
  type FailedAgainst,
  forgottenBySuccess,
  isLockedForPassword,
  type Lockout,
  logsLock,
  rejectsAttempt,
  rejectsRestricted,
  verifyLockout,
} from '../limits/account-lockout.js'
import { admitSource, clearFailures, countSourceFailure } from '../limits/sign-in-limits.js'
import { queueKeyOfAttempt } from '../limits/sign-in-queue.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import type { Challenge, SignInOutcome } from '../pipeline/sign-in-step.js'
import type { DirectoryProof } from './directory-proof.js'
import { signInTransaction } from './sign-in-transaction.js'
import { isOver } from './temporary-password.js'
import { verifyAtDirectory } from './verify-at-directory.js'

interface Attempt {
  email: string
  password: string
  /** The ID of the team or its slug. */
  teamId?: string
}

/**
 * Signs in with a password: a team password, the account's own, or that of a team's directory, in this order. An unknown email address, an
 * account without a password, a locked account and a wrong password cause the same work and the same response.
 * @throws invalid_credentials, rate_limited; unavailable if the directory that may know the password does not respond; after a correct
 *   password not_a_member, team_suspended, account_suspended, directory_orphaned, role_protected
 */
export async function logIn(
  allDeps: AccountDeps,
  attempt: Attempt,
  request: SignInRequest,
): Promise<IssuedSession | Challenge> {
  const { db, hasher } = allDeps
  // Before the first query, so that requests that the full queue rejects do not load the database.
  using place = hasher.reserve()
  const email = normalizeEmail(attempt.email)
  await admitSource(allDeps, 'sign-in', request.origin)
  const device = request.deviceToken ? tokenHash(request.deviceToken) : null
  const named = attempt.teamId === undefined ? null : await teamNamed(db, attempt.teamId)
  const login = await findPasswordLogin(db, email, device, named)

  // Hashing is slow, so it runs outside the transaction. Always two hashes, so that the response time does not reveal which passwords the
  // account has.
  const [ownRight, teamRight] = await bothOf(
    verifyStored(hasher, login?.own, attempt.password),
    verifyStored(hasher, login?.team, attempt.password),
  )
  // The team password first: a team must not learn whether a password that it set also matches the account's own.
  const ofTeam = teamRight && login?.team && !isOver(allDeps.clock, login.team) ? login.team : undefined
  const right = ofTeam ?? ((ownRight && login?.own) || undefined)
  const upgraded = right && hasher.isOutdated(right.hash) ? await hasher.hash(attempt.password) : undefined

  const known = (login?.knownDevice && device) || undefined
  // Looks for a directory for every email address, known or not.
  const directory = await verifyAtDirectory(allDeps, {
    email,
    password: attempt.password,
    named,
    device: known,
    request,
    login,
    isOfTeam: ofTeam !== undefined,
    isOwn: ownRight && login?.own != null,
    // All hashes are computed: a directory that does not respond must not block sign-ins of other users.
    beforeQuery: () => place[Symbol.dispose](),
  })
  const { proof } = directory

  // A directory that did not respond has not rejected the password; a stored password has.
  const isUnverified = proof?.outcome === 'unavailable' && !login?.own && !login?.team

  const outcome = await signInTransaction(allDeps, queueKeyOfAttempt(email, known), async (tx, deps) => {
    // Locks the account before its counters. For an unknown email address the same statement locks nothing.
    const account = await lockUser(tx, login?.userId ?? NO_USER)
    const lockout = await verifyLockout(tx, deps, {
      email,
      device: known,
      named,
      restrictedTo: [login?.team?.restrictedTo, directory.teamId].filter((id) => id != null),
    })
    // A restricted credential is valid in one team, and only the counters of that team lock it.
    const restrictedTo = proof?.outcome === 'right' ? proof.teamId : ofTeam?.restrictedTo
    const locked = restrictedTo ? rejectsRestricted(lockout, restrictedTo) : rejectsAttempt(lockout, named)
    if (proof?.outcome === 'right' && !locked && login)
      return signInByDirectory(tx, deps, {
        user: account,
        login,
        lockout,
        proof,
        device: known,
        wanted: named,
        request,
      })
    const user = right && !locked && account ? await accountIfUnchanged(tx, deps, account, right) : undefined
    if (!user || !right || !login) {
      const isReplaced = right !== undefined && !locked
      const failed = { own: (!right || isReplaced) && !directory.isCounted, team: !ofTeam || isReplaced }
      return reject(tx, deps, { lockout, locked, failed, isUnverified, login, request })
    }
    if (upgraded) await upgradeHash(tx, user.id, right.restrictedTo, upgraded)
    const done = await signIn(tx, deps, {
      user,
      method: 'password',
      amr: ['pwd'],
      restrictedToTeam: right.restrictedTo,
      passwordSetAt: right.setAt,
      temporarySetBy: right.temporarySetBy,
      wantedTeam: named,
      passwordDue: right.isTemporary ? 'temporary' : null,
      ...(!right.restrictedTo && {
        isLockedOut: isLockedForPassword(deps, lockout),
        locksOwnTeam: lockout.locksOwnTeam,
      }),
      request,
    })
    // Do not reset the counters on a correct password alone: it would allow unlimited guesses of the second factor.
    if ('session' in done)
      await clearFailures(tx, deps, ['sign-in'], request.origin, forgottenBySuccess(lockout, right.restrictedTo))
    return done
  })
  if ('rejected' in outcome && isUnverified) throw retryLater('unavailable', DIRECTORY_AWAY)
  return sessionOf(outcome)
}

/** Seconds after which the client may retry a directory that did not respond. */
const DIRECTORY_AWAY = 5

interface ByDirectory {
  /** The locked account; undefined if it was deleted meanwhile. */
  user: User | undefined
  login: PasswordLogin
  lockout: Lockout
  proof: Extract<DirectoryProof, { outcome: 'right' }>
  device: Buffer | undefined
  wanted: TeamId | null
  request: SignInRequest
}

/** Signs in a user whom the directory of a team has authenticated, restricted to that team. Runs in the caller's transaction. */
async function signInByDirectory(
  tx: Transaction,
  deps: AccountDeps,
  { user, login, lockout, proof, device, wanted, request }: ByDirectory,
): Promise<SignInOutcome> {
  if (!user) return reject(tx, deps, { lockout, locked: false, failed: { own: true, team: true }, login, request })
  await deps.throttle.clear(tx, [directoryKey(lockout.scope.email, device)])
  const rejected = await proof.rejection(tx)
  if (rejected) {
    const subject = { userId: user.id, teamId: proof.teamId, origin: request.origin }
    const metadata = { method: 'directory', reason: rejected.code }
    await deps.audit.record(tx, subject, 'user.login', { result: 'FAILURE', resource: `user:${user.id}`, metadata })
    return { rejected }
  }
  const done = await signIn(tx, deps, {
    user,
    method: 'directory',
    amr: ['pwd'],
    restrictedToTeam: proof.teamId,
    temporarySetBy: await proof.editor(tx),
    wantedTeam: wanted,
    passwordDue: null,
    request,
  })
  if ('session' in done)
    await clearFailures(tx, deps, ['sign-in'], request.origin, forgottenBySuccess(lockout, proof.teamId))
  return done
}

/** Waits for both, so that no hash is still running when a request is rejected. @throws the error of either */
async function bothOf<T>(first: Promise<T>, second: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([first, second])
  return [await first, await second]
}

/** Verifies a password, or computes an equally expensive hash if there is none to compare it with. */
const verifyStored = (
  hasher: PasswordHasher,
  stored: StoredPassword | null | undefined,
  password: string,
): Promise<boolean> => (stored ? hasher.verify(stored.hash, password) : hasher.verifyNothing(password))

/** Returns the locked account unless the password was replaced since it was verified. Runs in the caller's transaction. */
async function accountIfUnchanged(tx: Transaction, { clock }: AccountDeps, user: User, verified: StoredPassword) {
  const current = await currentPassword(tx, user.id, verified.restrictedTo)
  if (!current || current.hash !== verified.hash || isOver(clock, current)) return undefined
  return user
}

interface Failure {
  lockout: Lockout
  locked: boolean
  failed: FailedAgainst
  /** The directory of the account did not respond, so the password was not verified. */
  isUnverified?: boolean
  login: PasswordLogin | undefined
  request: SignInRequest
}

async function reject(
  tx: Transaction,
  deps: AccountDeps,
  { lockout, locked, failed, isUnverified = false, login, request }: Failure,
): Promise<SignInOutcome> {
  await countSourceFailure(tx, deps, 'sign-in', request.origin)
  const subject = { userId: login?.userId ?? null, teamId: lockout.attempted, origin: request.origin }
  const wrong = login ? 'wrong_password' : 'unknown_account'
  const reason = locked && logsLock(lockout) ? 'locked' : isUnverified ? 'directory_away' : wrong
  const metadata = { method: 'password', reason, email: lockout.scope.email }
  await deps.audit.record(tx, subject, 'user.login', { result: 'FAILURE', metadata })
  if (!isUnverified) await countFailure(tx, deps, lockout, subject, failed)
  return { rejected: wrongCredentials() }
}
