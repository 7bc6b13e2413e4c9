import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { retryLater } from '../../platform/errors.js'
import {
  currentPassword,
  directoryKey,
  findPasswordLogin,
  type PasswordLogin,
  upgradeHash,
} from '../credentials/index.js'
import { lockUser, normalizeEmail } from '../identities/index.js'
import type { IssuedSession } from '../sessions/index.js'
import { countFailure, forgottenBySuccess, judgeLockout, type Lockout, refusesAttempt } from './account-lockout.js'
import { askDirectory } from './ask-directory.js'
import type { AccountDeps, SignInRequest } from './deps.js'
import type { DirectoryProof } from './directory-proof.js'
import { wrongCredentials } from './errors.js'
import { sessionOf, signIn } from './sign-in.js'
import { admitSource, clearFailures, countSourceFailure } from './sign-in-limits.js'
import type { Challenge, SignInOutcome } from './sign-in-step.js'
import { isOver } from './temporary-password.js'

interface Attempt {
  email: string
  password: string
  teamId?: string
}

/**
 * Sign-in by password: the account's own, or the one of a team's directory. An unknown address, an account without a password, a locked account and a wrong password do the same
 * work and get the same answer.
 * @throws invalid_credentials, rate_limited; unavailable while the directory that might know the password is away; after a right
 *   password not_a_member, team_suspended, account_suspended, directory_orphaned, role_protected
 */
export async function logIn(
  deps: AccountDeps,
  attempt: Attempt,
  request: SignInRequest,
): Promise<IssuedSession | Challenge> {
  const { db, hasher } = deps
  const email = normalizeEmail(attempt.email)
  await admitSource(deps, 'sign-in', request.origin)
  const device = request.deviceToken ? tokenHash(request.deviceToken) : null
  const login = await findPasswordLogin(db, email, device)

  // Hashing happens outside the transaction: it takes longer than everything else, and nothing may wait for it.
  const right = login?.hash
    ? await hasher.verify(login.hash, attempt.password)
    : await hasher.verifyNothing(attempt.password)
  const upgraded =
    right && login?.hash && hasher.isOutdated(login.hash) ? await hasher.hash(attempt.password) : undefined

  const known = (login?.knownDevice && device) || undefined
  const asked = attempt.teamId?.toLowerCase() ?? null
  // The password that somebody has at the directory of their team; whether there is one is asked for every address.
  const by = { email, password: attempt.password, teamId: asked, device: known, right }
  const { proof, isOwnClosed } = await askDirectory(deps, by)

  const outcome = await db.transaction(async (tx) => {
    const lockout = await judgeLockout(tx, deps, email, known)
    // What one team gave opens that team alone.
    const wanted = asked ?? (proof?.outcome === 'right' ? proof.teamId : login?.confinedTeamId) ?? null
    const locked = refusesAttempt(lockout, wanted)
    if (proof?.outcome === 'right' && !locked && login)
      return signInByDirectory(tx, deps, {
        login,
        lockout,
        proof,
        device: known,
        wanted: attempt.teamId ?? null,
        request,
      })
    const user = right && !isOwnClosed && !locked && login ? await stillRight(tx, deps, login) : undefined
    const isUnjudged = proof?.outcome === 'unavailable'
    if (!user || !login) return refuse(tx, deps, { lockout, locked, wrong: !right, isUnjudged, login, request })
    if (upgraded) await upgradeHash(tx, user.id, upgraded)
    const done = await signIn(tx, deps, {
      user,
      method: 'password',
      amr: ['pwd'],
      confinedTo: login.confinedTeamId,
      wantedTeam: attempt.teamId ?? null,
      passwordDue: login.givenByTeamId ? 'temporary' : null,
      closedTeams: lockout.closedTeams,
      request,
    })
    // Who has only the password must not buy new guesses of the second factor with it.
    if ('session' in done) await clearFailures(tx, deps, ['sign-in'], request.origin, forgottenBySuccess(lockout))
    return done
  })
  // What the directory would say nobody knows.
  if ('refused' in outcome && proof?.outcome === 'unavailable') throw retryLater('unavailable', DIRECTORY_AWAY)
  return sessionOf(outcome)
}

/** Seconds after which a directory that did not answer is worth another try. */
const DIRECTORY_AWAY = 5

interface ByDirectory {
  login: PasswordLogin
  lockout: Lockout
  proof: Extract<DirectoryProof, { outcome: 'right' }>
  device: Buffer | undefined
  wanted: string | null
  request: SignInRequest
}

/** A step: the directory of a team has vouched for the person, to that team alone. */
async function signInByDirectory(
  tx: Transaction,
  deps: AccountDeps,
  { login, lockout, proof, device, wanted, request }: ByDirectory,
): Promise<SignInOutcome> {
  const user = await lockUser(tx, login.userId)
  if (!user) return refuse(tx, deps, { lockout, locked: false, wrong: true, login, request })
  await deps.throttle.clear(tx, [directoryKey(lockout.email, device)])
  const refused = await proof.refusal(tx)
  if (refused) {
    const subject = { userId: user.id, teamId: proof.teamId, origin: request.origin }
    const metadata = { method: 'directory', reason: refused.code }
    await deps.audit.record(tx, subject, 'user.login', { result: 'FAILURE', resource: `user:${user.id}`, metadata })
    return { refused }
  }
  const done = await signIn(tx, deps, {
    user,
    method: 'directory',
    amr: ['pwd'],
    confinedTo: proof.teamId,
    wantedTeam: wanted,
    passwordDue: null,
    closedTeams: lockout.closedTeams,
    request,
  })
  if ('session' in done) await clearFailures(tx, deps, ['sign-in'], request.origin, forgottenBySuccess(lockout))
  return done
}

/** The account, locked, if its password is still the one that was verified a moment ago. */
async function stillRight(tx: Transaction, { clock }: AccountDeps, login: PasswordLogin) {
  const user = await lockUser(tx, login.userId)
  const current = user && (await currentPassword(tx, user.id))
  if (!current || current.hash !== login.hash) return undefined
  if (isOver(clock, current)) return undefined
  return user
}

interface Failure {
  lockout: Lockout
  locked: boolean
  wrong: boolean
  /** The directory of the account was not there to say whether it was wrong. */
  isUnjudged?: boolean
  login: PasswordLogin | undefined
  request: SignInRequest
}

async function refuse(
  tx: Transaction,
  deps: AccountDeps,
  { lockout, locked, wrong, isUnjudged = false, login, request }: Failure,
): Promise<SignInOutcome> {
  await countSourceFailure(tx, deps, 'sign-in', request.origin)
  const subject = { userId: login?.userId ?? null, teamId: login?.lastTeamId ?? null, origin: request.origin }
  const judged = login ? 'wrong_password' : 'unknown_account'
  const reason = locked ? 'locked' : isUnjudged ? 'directory_away' : judged
  const metadata = { method: 'password', reason, email: lockout.email }
  await deps.audit.record(tx, subject, 'user.login', { result: 'FAILURE', metadata })
  if (!isUnjudged) await countFailure(tx, deps, lockout, subject, wrong || !locked)
  return { refused: wrongCredentials() }
}
