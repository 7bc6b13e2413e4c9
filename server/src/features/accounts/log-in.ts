import { DAY } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { currentPassword, findPasswordLogin, type PasswordLogin, upgradeHash } from '../credentials/index.js'
import { lockUser, normalizeEmail } from '../identities/index.js'
import type { IssuedSession } from '../sessions/index.js'
import type { AccountDeps, SignInRequest } from './deps.js'
import { refusal } from './errors.js'
import { sessionOf, signIn } from './sign-in.js'
import {
  accountKey,
  accountLimit,
  admitSource,
  clearFailures,
  countSourceFailure,
  recordLock,
} from './sign-in-limits.js'
import type { Challenge, SignInOutcome } from './sign-in-step.js'

const TEMPORARY_PASSWORD_LIFE = 7 * DAY

interface Attempt {
  email: string
  password: string
  teamId?: string
}

/**
 * Sign-in by password. An unknown address, an account without a password, a locked account and a wrong password do the same
 * work and get the same answer.
 * @throws invalid_credentials, rate_limited; after a right password not_a_member, team_suspended, account_suspended
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

  const outcome = await db.transaction(async (tx) => {
    const key = accountKey(email, (login?.knownDevice && device) || undefined)
    const locked = await deps.throttle.isLocked(tx, key)
    const user = right && !locked && login ? await stillRight(tx, deps, login) : undefined
    if (!user || !login) return refuse(tx, deps, { email, key, locked, login, request })
    await clearFailures(tx, deps, 'sign-in', request.origin, key)
    if (upgraded) await upgradeHash(tx, user.id, upgraded)
    return signIn(tx, deps, {
      user,
      method: 'password',
      amr: ['pwd'],
      // A temporary password was the administrator's: it proves the user to that team alone.
      confinedTo: login.givenByTeamId,
      wantedTeam: attempt.teamId ?? null,
      passwordDue: login.givenByTeamId ? 'temporary' : null,
      request,
    })
  })
  return sessionOf(outcome)
}

/** The account, locked, if its password is still the one that was verified a moment ago. */
async function stillRight(tx: Transaction, { clock }: AccountDeps, login: PasswordLogin) {
  const user = await lockUser(tx, login.userId)
  const current = user && (await currentPassword(tx, user.id))
  if (!current || current.hash !== login.hash) return undefined
  if (current.givenByTeamId && clock.ms() - current.setAt.getTime() > TEMPORARY_PASSWORD_LIFE) return undefined
  return user
}

interface Failure {
  email: string
  key: ReturnType<typeof accountKey>
  locked: boolean
  login: PasswordLogin | undefined
  request: SignInRequest
}

async function refuse(
  tx: Transaction,
  deps: AccountDeps,
  { email, key, locked, login, request }: Failure,
): Promise<SignInOutcome> {
  const { audit, throttle } = deps
  await countSourceFailure(tx, deps, 'sign-in', request.origin)
  const lockedNow = await throttle.count(tx, key, accountLimit(deps))
  const subject = { userId: login?.userId ?? null, teamId: login?.lastTeamId ?? null, origin: request.origin }
  const reason = locked ? 'locked' : login ? 'wrong_password' : 'unknown_account'
  await audit.record(tx, subject, 'user.login', { result: 'FAILURE', metadata: { method: 'password', reason, email } })
  if (lockedNow && !locked) await recordLock(tx, deps, subject, email)
  return { refused: refusal('invalid_credentials', { headers: { 'www-authenticate': 'Bearer realm="keyward"' } }) }
}
