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
} from '../../credentials/index.js'
import type { IssuedSession } from '../../sessions/index.js'
import { teamNamed } from '../../teams/index.js'
import { lockUser, normalizeEmail, type User } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { wrongCredentials } from '../errors.js'
import {
  closedToPassword,
  countFailure,
  type FailedAgainst,
  forgottenBySuccess,
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
 * Signs in with a password: the one that opens a team alone, the account's own, or the one of a team's directory, in this order. An unknown address, an
 * account without a password, a locked account and a wrong password do the same work and get the same answer.
 * @throws invalid_credentials, rate_limited; unavailable while the directory that might know the password is away; after a right
 *   password not_a_member, team_suspended, account_suspended, directory_orphaned, role_protected
 */
export async function logIn(
  allDeps: AccountDeps,
  attempt: Attempt,
  request: SignInRequest,
): Promise<IssuedSession | Challenge> {
  const { db, hasher } = allDeps
  // Before the first read: a flood that the queue would reject must not use the database first.
  using place = hasher.reserve()
  const email = normalizeEmail(attempt.email)
  await admitSource(allDeps, 'sign-in', request.origin)
  const device = request.deviceToken ? tokenHash(request.deviceToken) : null
  const named = attempt.teamId === undefined ? null : await teamNamed(db, attempt.teamId)
  const login = await findPasswordLogin(db, email, device, named)

  // Hashing happens outside the transaction: it takes longer than everything else, and nothing may wait for it. Always two hashes, so that
  // the time does not show which passwords an account has.
  const [ownRight, teamRight] = await bothOf(
    verifyStored(hasher, login?.own, attempt.password),
    verifyStored(hasher, login?.team, attempt.password),
  )
  // The team's password first: whether the own one matches too must not show to a team that set a password as a guess of it.
  const ofTeam = teamRight && login?.team && !isOver(allDeps.clock, login.team) ? login.team : undefined
  const right = ofTeam ?? ((ownRight && login?.own) || undefined)
  const upgraded = right && hasher.isOutdated(right.hash) ? await hasher.hash(attempt.password) : undefined

  const known = (login?.knownDevice && device) || undefined
  // The password of the user at the directory of a team; whether there is one is looked up for every address.
  const directory = await verifyAtDirectory(allDeps, {
    email,
    password: attempt.password,
    named,
    device: known,
    request,
    login,
    isOfTeam: ofTeam !== undefined,
    isOwn: ownRight && login?.own != null,
    // All hashes are computed: a server that does not answer must not keep others from signing in.
    beforeAsking: () => place[Symbol.dispose](),
  })
  const { proof } = directory

  // A directory that did not answer has not rejected the password; a stored one has.
  const isUnverified = proof?.outcome === 'unavailable' && !login?.own && !login?.team

  const outcome = await signInTransaction(allDeps, queueKeyOfAttempt(email, known), async (tx, deps) => {
    // The account before its counters. For an unknown address the same statement locks nothing.
    const account = await lockUser(tx, login?.userId ?? NO_USER)
    const lockout = await verifyLockout(tx, deps, {
      email,
      device: known,
      named,
      restrictedTo: [login?.team?.restrictedTo, directory.teamId].filter((id) => id != null),
    })
    // A credential of one team opens that team alone, and is closed by the counters of that team alone.
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
      const judged = { own: (!right || isReplaced) && !directory.isCounted, team: !ofTeam || isReplaced }
      return reject(tx, deps, { lockout, locked, judged, isUnverified, login, request })
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
        isClosed: closedToPassword(deps, lockout),
        closesOwnTeam: lockout.closesOwnTeam,
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

/** Seconds after which a directory that did not answer is worth another try. */
const DIRECTORY_AWAY = 5

interface ByDirectory {
  /** Locked; undefined when it was deleted meanwhile. */
  user: User | undefined
  login: PasswordLogin
  lockout: Lockout
  proof: Extract<DirectoryProof, { outcome: 'right' }>
  device: Buffer | undefined
  wanted: TeamId | null
  request: SignInRequest
}

/** A step: the directory of a team has vouched for the person, to that team alone. */
async function signInByDirectory(
  tx: Transaction,
  deps: AccountDeps,
  { user, login, lockout, proof, device, wanted, request }: ByDirectory,
): Promise<SignInOutcome> {
  if (!user) return reject(tx, deps, { lockout, locked: false, judged: { own: true, team: true }, login, request })
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

/** Waits for both, so that a request that is rejected leaves no hash under way. @throws what either throws */
async function bothOf<T>(first: Promise<T>, second: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([first, second])
  return [await first, await second]
}

/** Verifies a password, or computes as much where there is none to compare it with. */
const verifyStored = (
  hasher: PasswordHasher,
  stored: StoredPassword | null | undefined,
  password: string,
): Promise<boolean> => (stored ? hasher.verify(stored.hash, password) : hasher.verifyNothing(password))

/** Returns the locked account if the password is still the one that was verified. Runs in the caller's transaction. */
async function accountIfUnchanged(tx: Transaction, { clock }: AccountDeps, user: User, verified: StoredPassword) {
  const current = await currentPassword(tx, user.id, verified.restrictedTo)
  if (!current || current.hash !== verified.hash || isOver(clock, current)) return undefined
  return user
}

interface Failure {
  lockout: Lockout
  locked: boolean
  judged: FailedAgainst
  /** The directory of the account was not there to say whether it was wrong. */
  isUnverified?: boolean
  login: PasswordLogin | undefined
  request: SignInRequest
}

async function reject(
  tx: Transaction,
  deps: AccountDeps,
  { lockout, locked, judged, isUnverified = false, login, request }: Failure,
): Promise<SignInOutcome> {
  await countSourceFailure(tx, deps, 'sign-in', request.origin)
  const subject = { userId: login?.userId ?? null, teamId: lockout.attempted, origin: request.origin }
  const wrong = login ? 'wrong_password' : 'unknown_account'
  const reason = locked && logsLock(lockout) ? 'locked' : isUnverified ? 'directory_away' : wrong
  const metadata = { method: 'password', reason, email: lockout.scope.email }
  await deps.audit.record(tx, subject, 'user.login', { result: 'FAILURE', metadata })
  if (!isUnverified) await countFailure(tx, deps, lockout, subject, judged)
  return { rejected: wrongCredentials() }
}
