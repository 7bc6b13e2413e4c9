import type { Transaction } from '../../../platform/db/database.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { DEFAULT_PASSWORD_POLICY } from '../../password-policy/index.js'
import { requireCompliantPassword, setOwnPassword } from '../../passwords/index.js'
import { peekOneTimeToken, requireActiveSession, requireUnrestricted } from '../../sessions/index.js'
import { domainAllowed, readSettings, recordFirstUser } from '../../settings/index.js'
import { createUser, lockUser, markEmailVerified, normalizeEmail, type User } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { rejection } from '../errors.js'
import { admitLinkRequest, admitRegistration } from '../limits/sign-in-limits.js'
import { verifyEmailMail } from '../mails.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import { redeemForAccount, redeemInTransaction } from '../recovery/redeem-link.js'
import { sendRequestedLink } from '../recovery/request-link.js'
import { endAllButSession } from './first-verification.js'

/** Returns the names of a request as they are stored; a blank name is none. */
export const namesIn = ({ firstName, lastName }: { firstName?: string; lastName?: string }) => ({
  firstName: firstName?.trim() || null,
  lastName: lastName?.trim() || null,
})

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
export async function register(deps: AccountDeps, registration: Registration, request: SignInRequest) {
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

/**
 * Verifies the caller's email address by the mailed link. Requires a session of the account itself: the recipient of the link may be the
 * owner of the email address who never created the account.
 * @throws invalid_token, wrong_account (the link stays unused), rate_limited
 */
export async function verifyEmail(deps: AccountDeps, actor: SessionActor, token: string): Promise<void> {
  const { clock, audit } = deps
  await redeemInTransaction(deps, actor.origin, async (tx) => {
    const { userId } = await peekOneTimeToken(tx, clock, ['verify_email'], token)
    if (userId !== actor.userId) throw rejection('wrong_account')
    requireUnrestricted(actor)
    await redeemForAccount(tx, deps, ['verify_email'], token)
    await requireActiveSession(tx, clock, actor)
    if (!(await markEmailVerified(tx, clock, userId))) return
    await audit.record(tx, actor, 'user.email_verified', { resource: `user:${userId}` })
    const { teamId, origin, sessionId } = actor
    await endAllButSession(tx, deps, { userId, teamId, origin }, sessionId)
  })
}

/**
 * Mails the caller another link; earlier ones stay valid. Does nothing for a verified email address.
 * @throws team_sign_in_required, rate_limited beyond the hourly limit of the source
 */
export async function resendVerification(deps: AccountDeps, actor: SessionActor): Promise<void> {
  const { db, audit } = deps
  requireUnrestricted(actor)
  await admitLinkRequest(deps, actor.origin)
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, actor.userId)
    if (!user || user.emailVerifiedAt) return
    const sent = await sendVerification(tx, deps, user)
    await audit.record(tx, actor, 'user.link_requested', {
      result: sent ? 'SUCCESS' : 'DENIED',
      resource: `user:${user.id}`,
      metadata: { kind: 'verify_email' },
    })
  })
}

/** Mails the link that verifies the email address. Returns false if the mail limit is reached. Runs in the caller's transaction. */
export function sendVerification(tx: Transaction, deps: AccountDeps, { id, email }: User): Promise<boolean> {
  const link = { kind: 'verify_email', userId: id, email } as const
  return sendRequestedLink(tx, deps, { mail: verifyEmailMail, to: email, link }, (token) => ({
    url: `${deps.config.frontendUrl}/verify-email?token=${token}`,
    email,
  }))
}
