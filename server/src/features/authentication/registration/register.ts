import { requireCompliantPassword, setOwnPassword } from '../../passwords/index.js'
import { DEFAULT_PASSWORD_POLICY } from '../../policies/index.js'
import type { IssuedSession } from '../../sessions/index.js'
import { domainAllowed, readSettings, recordFirstUser } from '../../settings/index.js'
import { createUser, normalizeEmail } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { rejection } from '../errors.js'
import { admitRegistration } from '../limits/sign-in-limits.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import type { Challenge } from '../pipeline/sign-in-step.js'
import { namesIn } from './names-in.js'
import { sendVerification } from './verify-email.js'

interface Registration {
  email: string
  password: string
  firstName?: string
  lastName?: string
}

/**
 * Creates an account with its own team and signs it in. The email address is unverified until the mailed link is used.
 * @throws email_taken (after the same work as for a free email address), password_policy, sign_up_not_allowed, rate_limited
 */
export async function register(
  deps: AccountDeps,
  registration: Registration,
  request: SignInRequest,
): Promise<IssuedSession | Challenge> {
  const { db, clock, audit, hasher } = deps
  const email = normalizeEmail(registration.email)
  requireCompliantPassword(registration.password, DEFAULT_PASSWORD_POLICY, deps.commonPasswords, '/password')
  await admitRegistration(deps, request.origin)
  const hash = await hasher.hash(registration.password)

  const outcome = await db.transaction(async (tx) => {
    const settings = await readSettings(tx)
    if (!domainAllowed(email, settings.allowedDomains)) throw rejection('sign_up_not_allowed')
    const user = await createUser(tx, clock, { email, ...namesIn(registration), selfRegistered: true })
    if (!user) throw rejection('email_taken')
    await recordFirstUser(tx, user.id)
    await setOwnPassword(tx, clock, user.id, hash, registration.password)
    const done = await signIn(tx, deps, {
      user,
      method: 'registration',
      amr: ['pwd'],
      restrictedToTeam: null,
      wantedTeam: null,
      passwordDue: null,
      request,
    })
    const teamId = 'session' in done ? done.session.team.id : null
    await audit.record(tx, { userId: user.id, teamId, origin: request.origin }, 'user.created', {
      resource: `user:${user.id}`,
      metadata: { method: 'registration' },
    })
    await sendVerification(tx, deps, user)
    return done
  })
  return sessionOf(outcome)
}
