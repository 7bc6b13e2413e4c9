import type { Transaction } from '../../../platform/db/database.js'
import { DUE_IN_TEAM, type SessionActor } from '../../../platform/http/actor.js'
import { openTeamOf, type PendingInvitation } from '../../members/index.js'
import { requireAcceptablePassword, setOwnPassword } from '../../passwords/index.js'
import { authorize, permissionError } from '../../permissions/index.js'
import { passwordPolicyOf } from '../../policies/index.js'
import { type IssuedSession, requireActiveSession, sessionError } from '../../sessions/index.js'
import {
  createUser,
  findUserByEmail,
  lockAccountExclusively,
  lockUser,
  type User,
  writeOwnNames,
} from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { rejection, requireField } from '../errors.js'
import { clearFailures } from '../limits/sign-in-limits.js'
import { withTokenLimit } from '../limits/token-limit.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import type { Challenge } from '../pipeline/sign-in-step.js'
import { type Cleaned, isUnverified, recordVerification } from '../registration/first-verification.js'
import { namesIn } from '../registration/names-in.js'
import { enterBySession } from '../sign-in/switch-team.js'
import { findInvitation, redeemInvitation } from './redeem-invitation.js'

export interface Acceptance {
  token: string
  password?: string
  firstName?: string
  lastName?: string
}

export interface Accepted {
  signedIn: IssuedSession | Challenge
  /** The caller's session switched to the team; otherwise a new one was started. */
  moved: boolean
  cleaned: Cleaned | undefined
}

/**
 * Accepts an invitation, which also verifies the email address. A user without a verified account sets a password and is signed in. A user
 * with one must be signed in to it, and the session switches to the team. An error leaves the invitation pending.
 * @param caller the signed-in user, if any
 * @throws invalid_token, rate_limited, invitation_withdrawn, team_suspended, account_exists, wrong_account, account_suspended,
 * limit_reached, password_policy, team_sign_in_required, sign_in_denied, second_factor_required
 */
export function acceptInvitation(
  deps: AccountDeps,
  wanted: Acceptance,
  request: SignInRequest,
  caller: SessionActor | undefined,
): Promise<Accepted> {
  return withTokenLimit(deps, request.origin, async () => {
    const { invitation, user } = await deps.db.transaction(async (tx) => {
      const invitation = await findInvitation(tx, deps, wanted.token)
      const user = await findUserByEmail(tx, invitation.email)
      // The same link may have created the account concurrently.
      if (user) await findInvitation(tx, deps, wanted.token)
      return { invitation, user }
    })
    if (caller && caller.user.email !== invitation.email) throw rejection('wrong_account')
    if (caller) return acceptSignedIn(deps, wanted.token, caller, request)
    if (user && !isUnverified(user)) throw rejection('account_exists')
    return acceptWithPassword(deps, wanted, invitation, user, request)
  })
}

async function acceptSignedIn(
  deps: AccountDeps,
  token: string,
  caller: SessionActor,
  request: SignInRequest,
): Promise<Accepted> {
  authorize(caller, 'signed-in', { whileRestricted: DUE_IN_TEAM, accountWide: true })
  if (caller.restrictedToTeam) throw permissionError('team_sign_in_required')
  return deps.db.transaction(async (tx) => {
    await lockAccountExclusively(tx, caller.userId)
    const user = await lockUser(tx, caller.userId)
    if (user?.status !== 'active') throw rejection('account_exists')
    await requireActiveSession(tx, deps.clock, caller)
    const invitation = await redeemInvitation(tx, deps, token, user, { by: caller, origin: caller.origin })
    const { cleaned } = await recordVerification(tx, deps, user, caller.origin, caller.sessionId)
    await clearFailures(tx, deps, ['one-time-token'], caller.origin)
    const team = await openTeamOf(tx, user.id, invitation.team.id)
    if (!team) throw sessionError('invalid_token')
    const outcome = await enterBySession(tx, deps, caller, { user, team, request })
    // Thrown inside the transaction, so that the invitation stays pending.
    if ('rejected' in outcome) throw outcome.rejected
    return { signedIn: sessionOf(outcome), moved: true, cleaned }
  })
}

async function acceptWithPassword(
  deps: AccountDeps,
  wanted: Acceptance,
  invitation: PendingInvitation,
  before: User | undefined,
  request: SignInRequest,
): Promise<Accepted> {
  const { db, hasher } = deps
  const password = requireField(wanted.password, '/password', 'Choose a password for the new account')
  const policy = await passwordPolicyOf(db, invitation.team.id)
  await requireAcceptablePassword(deps, { password, policy, path: '/password' })
  const hash = await hasher.hash(password)
  const done = await db.transaction(async (tx) => {
    const { user, cleaned } = before
      ? await takeOverAccount(tx, deps, before, wanted, request)
      : await createAccount(tx, deps, invitation, wanted, request)
    const by = 'first_verification'
    await redeemInvitation(tx, deps, wanted.token, user, { by, origin: request.origin })
    await setOwnPassword(tx, deps.clock, user.id, hash, password)
    await clearFailures(tx, deps, ['one-time-token'], request.origin)
    const outcome = await signIn(tx, deps, {
      user,
      method: 'invitation',
      amr: ['email', 'pwd'],
      restrictedToTeam: null,
      wantedTeam: invitation.team.id,
      passwordDue: null,
      request,
    })
    // Thrown inside the transaction, so that no account is created and the invitation stays pending.
    if ('rejected' in outcome) throw outcome.rejected
    return { outcome, cleaned }
  })
  return { signedIn: sessionOf(done.outcome), moved: false, cleaned: done.cleaned }
}

type Names = Pick<Acceptance, 'token' | 'firstName' | 'lastName'>

/** Creates the account with a verified email address: the link was mailed to it. */
async function createAccount(
  tx: Transaction,
  deps: AccountDeps,
  { email, team }: PendingInvitation,
  wanted: Names,
  { origin }: SignInRequest,
): Promise<{ user: User; cleaned: undefined }> {
  const { clock, audit } = deps
  const user = await createUser(tx, clock, { email, ...namesIn(wanted), selfRegistered: false, emailVerified: true })
  if (!user) {
    // A concurrent request created the account, with the same link or by registration.
    await findInvitation(tx, deps, wanted.token)
    throw rejection('account_exists')
  }
  await audit.record(tx, { userId: user.id, teamId: team.id, origin }, 'user.created', {
    resource: `user:${user.id}`,
    metadata: { method: 'invitation' },
  })
  return { user, cleaned: undefined }
}

/** Takes an unverified account over for the owner of its email address, who redeems the invitation. */
async function takeOverAccount(
  tx: Transaction,
  deps: AccountDeps,
  before: User,
  wanted: Names,
  { origin }: SignInRequest,
): Promise<{ user: User; cleaned: Cleaned | undefined }> {
  await lockAccountExclusively(tx, before.id)
  const user = await lockUser(tx, before.id)
  if (!user || !isUnverified(user)) {
    await findInvitation(tx, deps, wanted.token)
    throw rejection('account_exists')
  }
  if (user.status !== 'active') throw rejection('account_suspended')
  const verified = await recordVerification(tx, deps, user, origin, null)
  await writeOwnNames(tx, deps.clock, user.id, namesIn(wanted))
  return { user: { ...verified.user, ...namesIn(wanted) }, cleaned: verified.cleaned }
}
