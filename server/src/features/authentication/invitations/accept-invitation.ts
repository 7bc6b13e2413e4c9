import type { Transaction } from '../../../platform/db/database.js'
import { type RequestOrigin, type SessionActor, TEAM_RESTRICTIONS } from '../../../platform/http/actor.js'
import {
  activateMembership,
  type ConfirmingAct,
  findMember,
  findValidInvitation,
  lockInvitationByToken,
  openTeamOf,
  type PendingInvitation,
  updateInvitation,
  wasRemoved,
} from '../../members/index.js'
import { type PasswordPolicy, passwordPolicyOf } from '../../password-policy/index.js'
import { requireAcceptablePassword, setOwnPassword } from '../../passwords/index.js'
import { authorize, permissionError, type Role } from '../../permissions/index.js'
import { requireActiveSession, sessionError } from '../../sessions/index.js'
import { lockOrganization } from '../../teams/index.js'
import {
  createUser,
  findUserByEmail,
  lockAccountExclusively,
  lockUser,
  type User,
  writeOwnProfile,
} from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { rejection, requireField } from '../errors.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import type { SignedIn } from '../pipeline/sign-in-step.js'
import { redeemInTransaction, withTokenLimit } from '../recovery/redeem-link.js'
import { type Cleaned, isUnverified, recordVerification } from '../registration/first-verification.js'
import { namesIn } from '../registration/register.js'
import { enterBySession } from '../sign-in/switch-team.js'

interface Acceptance {
  token: string
  password?: string
  firstName?: string
  lastName?: string
}

interface Accepted {
  signedIn: SignedIn
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

async function acceptSignedIn(deps: AccountDeps, token: string, caller: SessionActor, request: SignInRequest) {
  authorize(caller, 'signed-in', { allowedRestrictions: TEAM_RESTRICTIONS, accountWide: true })
  if (caller.restrictedToTeam) throw permissionError('team_sign_in_required')
  return deps.db.transaction(async (tx) => {
    await lockAccountExclusively(tx, caller.userId)
    const user = await lockUser(tx, caller.userId)
    if (user?.status !== 'active') throw rejection('account_exists')
    await requireActiveSession(tx, deps.clock, caller)
    const invitation = await redeemInvitation(tx, deps, token, user, { by: caller, origin: caller.origin })
    const { cleaned } = await recordVerification(tx, deps, user, caller.origin, caller.sessionId)
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

/** Creates the account with a verified email address: the link was mailed to it. */
async function createAccount(
  tx: Transaction,
  deps: AccountDeps,
  { email, team }: PendingInvitation,
  wanted: Acceptance,
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
  wanted: Acceptance,
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
  await writeOwnProfile(tx, deps.clock, user.id, namesIn(wanted))
  return { user: { ...verified.user, ...namesIn(wanted) }, cleaned: verified.cleaned }
}

/** Returns the pending invitation with this token. Runs in the caller's transaction. @throws invalid_token, team_suspended, invitation_withdrawn */
async function findInvitation(tx: Transaction, { clock }: AccountDeps, token: string): Promise<PendingInvitation> {
  const invitation = await findValidInvitation(tx, clock, token)
  if (!invitation) throw sessionError('invalid_token')
  return invitation
}

/**
 * Returns the pending invitation with this token, and the policy for the password of its acceptance. The response does not reveal whether
 * the email address has an account.
 * @throws invalid_token, rate_limited, team_suspended, invitation_withdrawn
 */
export const readInvitation = (
  deps: AccountDeps,
  token: string,
  origin: RequestOrigin,
): Promise<{ invitation: PendingInvitation; policy: PasswordPolicy }> =>
  redeemInTransaction(deps, origin, async (tx) => {
    const invitation = await findInvitation(tx, deps, token)
    return { invitation, policy: await passwordPolicyOf(tx, invitation.team.id) }
  })

/**
 * Redeems the invitation and adds the user to its team. Locks the team, the invitation and the inviter and reads the invitation again, so
 * that only one of several concurrent requests redeems it. Runs in the caller's transaction, which has locked the account.
 * @throws invalid_token, team_suspended, invitation_withdrawn, account_suspended, limit_reached, second_factor_required
 */
async function redeemInvitation(
  tx: Transaction,
  deps: AccountDeps,
  token: string,
  user: User,
  { by, origin }: { by: ConfirmingAct; origin: RequestOrigin },
): Promise<PendingInvitation> {
  const { clock, audit } = deps
  const { team } = await findInvitation(tx, deps, token)
  await lockOrganization(tx, team.id).catch((error: unknown) => {
    throw (error as { code?: string }).code === 'organization_not_found' ? sessionError('invalid_token') : error
  })
  await lockInvitationByToken(tx, token)
  const invitation = await findInvitation(tx, deps, token)
  if (invitation.email !== user.email) throw sessionError('invalid_token')
  // An invitation that was sent before the team removed the user must not add them again.
  const isMember = (await findMember(tx, team.id, user.id)) !== undefined
  if (!isMember && (await wasRemoved(tx, team.id, user, invitation.sentAt))) throw sessionError('invalid_token')
  const role = invitation.role as Role
  const joining = { userId: user.id, teamId: team.id, role, source: 'invitation', by } as const
  const outcome = await activateMembership(tx, clock, joining)
  if (outcome === 'suspended') throw rejection('account_suspended')
  await updateInvitation(tx, clock, invitation.id, { status: 'ACCEPTED', acceptedBy: user.id })
  const subject = { userId: user.id, teamId: team.id, origin }
  // An existing member keeps their role.
  const membership = await findMember(tx, team.id, user.id)
  await audit.record(tx, subject, 'invitation.accepted', {
    resource: `invitation:${invitation.id}`,
    metadata: { email: user.email, role: membership?.role ?? role },
  })
  if (outcome === 'added')
    await audit.record(tx, subject, 'member.added', { resource: `user:${user.id}`, metadata: { role } })
  return invitation
}
