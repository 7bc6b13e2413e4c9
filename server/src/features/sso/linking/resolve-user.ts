import type { Transaction } from '../../../platform/db/database.js'
import { retryLater } from '../../../platform/errors.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SsoProviderId, UserId } from '../../../platform/ids.js'
import { findMember, type Membership, wasRemoved } from '../../members/index.js'
import { provisionUsers, type UserToProvision } from '../../user-management/index.js'
import { lockUser, lockUserByEmail, type User } from '../../users/index.js'
import { domainOf } from '../domains/domain-name.js'
import { rejection } from '../errors.js'
import { requireWithin } from '../model/acting-permissions.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import type { Statement } from '../model/statement.js'
import { findIdentity, linkIdentity } from './identity-repository.js'

/** The input of `resolveUser`. */
export interface ResolveInput {
  provider: Provider
  permissions: ReadonlySet<string>
  statement: Statement
  origin: RequestOrigin
  /**
   * Called if the user is already a member. Only then may a rejection be recorded with the user's ID, because the team must not learn about
   * other accounts.
   */
  onMemberFound(userId: UserId): void
}

export interface ResolvedUser {
  user: User
  membership: Membership
}

const ATTEMPTS = 3

/**
 * Locks the account that `resolveUser` will find, if there is one. Call it before the provider is locked: every transaction that locks both
 * locks the account first. Runs in the caller's transaction.
 */
export async function lockExistingUser(
  tx: Transaction,
  providerId: SsoProviderId,
  { subject, email }: Pick<Statement, 'subject' | 'email'>,
): Promise<void> {
  const identity = await findIdentity(tx, providerId, subject)
  if (identity) await lockUser(tx, identity.userId)
  else if (email) await lockUserByEmail(tx, email.address)
}

/**
 * Returns the user that the statement names, locked, as a member of the team. The pair of provider and subject identifies the user. A new
 * subject is linked to a member by a verified email address, or joins the team if the provider may add members. Runs in the caller's
 * transaction.
 * @throws errors of this module, role_protected, limit_reached, unavailable; the caller must roll back
 */
export async function resolveUser(tx: Transaction, deps: SsoDeps, input: ResolveInput): Promise<ResolvedUser> {
  const { provider, statement } = input
  if (statement.email) requireDomain(provider, statement.email.address)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const identity = await findIdentity(tx, provider.id, statement.subject)
    const resolved = identity
      ? await resolveLinkedUser(tx, deps, input, identity.userId)
      : await linkNewIdentity(tx, deps, input)
    // Retry: a concurrent transaction inserted or deleted the identity or the account.
    if (resolved) return resolved
  }
  throw retryLater('unavailable', 1)
}

/** Requires that the domain is in `allowedDomains`, unless the list is empty. Also applies to linked users. @throws sso_domain_not_allowed */
function requireDomain({ allowedDomains }: Provider, email: string): void {
  if (allowedDomains.length > 0 && !allowedDomains.includes(domainOf(email)))
    throw rejection('sso_domain_not_allowed', { detail: `${domainOf(email)} is not among the domains of the provider` })
}

/**
 * Returns the user of a linked identity, and adds the user to the team if they are not a member. Runs in the caller's transaction.
 * @returns undefined if the account was deleted concurrently
 */
async function resolveLinkedUser(
  tx: Transaction,
  deps: SsoDeps,
  input: ResolveInput,
  userId: UserId,
): Promise<ResolvedUser | undefined> {
  const user = await lockUser(tx, userId)
  if (!user) return undefined
  const membership = await membershipOf(tx, input, user)
  if (!input.statement.email) requireDomain(input.provider, user.email)
  requireAdmissible(input, user, membership)
  return { user, membership: membership ?? (await join(tx, deps, input, user)) }
}

/**
 * Links a new subject to the account with its email address, or inserts an account. Runs in the caller's transaction.
 * @returns undefined if a concurrent transaction linked the identity or created an account with this email address
 */
async function linkNewIdentity(tx: Transaction, deps: SsoDeps, input: ResolveInput): Promise<ResolvedUser | undefined> {
  const { provider, statement } = input
  const { email, emailVerified } = statement
  if (!email) throw rejection('sso_email_missing')
  const existing = await lockUserByEmail(tx, email.address)
  const membership = existing && (await membershipOf(tx, input, existing))
  if (emailVerified === 'no') throw unverified()
  if (!existing) return insertUser(tx, deps, input, email.address)

  // Before the check of the verification: if auto-provisioning is off, the error is then the same as for an email address without an account.
  if (!membership) requireJoinable(input, existing.email)
  if (emailVerified !== 'yes' && !provider.trustsEmail) throw unverified()
  requireAdmissible(input, existing, membership)
  if (!(await link(tx, deps, input, existing, 'email'))) return undefined
  return { user: existing, membership: membership ?? (await join(tx, deps, input, existing)) }
}

/**
 * Returns the error for an email address that the provider does not assert as verified. If the provider asserts that it is not verified, the
 * error does not depend on whether the email address has an account.
 */
const unverified = () =>
  rejection('sso_email_unverified', { detail: 'The provider does not state that the email address is verified' })

/** Returns the user's membership in the team of the provider, if any, and reports that the user is a member. */
async function membershipOf(
  tx: Transaction,
  { provider, onMemberFound }: ResolveInput,
  user: User,
): Promise<Membership | undefined> {
  const membership = await findMember(tx, provider.organizationId, user.id)
  if (membership) onMemberFound(user.id)
  return membership
}

/** @throws sso_member_suspended, role_protected */
function requireAdmissible({ permissions }: ResolveInput, user: User, membership: Membership | undefined): void {
  if (user.status !== 'active' || membership?.status === 'suspended') throw rejection('sso_member_suspended')
  if (membership) requireWithin(permissions, membership.role)
}

/** Requires `autoProvision` and that the domain is in `allowedDomains`. @throws sso_not_provisioned */
function requireJoinable({ provider }: ResolveInput, email: string): void {
  const { autoProvision, allowedDomains } = provider
  if (!autoProvision || !allowedDomains.includes(domainOf(email))) throw rejection('sso_not_provisioned')
}

const PROVISIONED_ROLE = 'MEMBER'

/**
 * Adds the account with this email address to the team, or inserts one. Its email address can't change concurrently, because the account is
 * locked or was inserted in this transaction. Runs in the caller's transaction.
 * @param onlyNew does not add an existing account
 * @returns undefined if `onlyNew` is set and the account exists
 */
async function provision(
  tx: Transaction,
  deps: SsoDeps,
  { provider, permissions, origin }: ResolveInput,
  email: string,
  { onlyNew = false } = {},
): Promise<ResolvedUser | undefined> {
  requireWithin(permissions, PROVISIONED_ROLE)
  const teamId = provider.organizationId
  const source = { method: 'sso', provider: provider.id }
  const metadata = { created: source, added: source }
  const by = { permissions, origin }
  const joining: UserToProvision = {
    email,
    profile: {},
    role: PROVISIONED_ROLE,
    status: 'active',
    source: 'sso',
    by,
    metadata,
  }
  const [provisioned] = await provisionUsers(tx, deps, teamId, [joining], { onlyNew })
  if (!provisioned) return undefined
  const user = await lockUser(tx, provisioned.userId)
  const membership = await findMember(tx, teamId, provisioned.userId)
  return user && membership && { user, membership }
}

/** Adds an existing, locked account to the team. @throws sso_not_provisioned, role_protected, limit_reached, unavailable */
async function join(tx: Transaction, deps: SsoDeps, input: ResolveInput, user: User): Promise<Membership> {
  requireJoinable(input, user.email)
  if (await wasRemoved(tx, input.provider.organizationId, user)) throw rejection('sso_not_provisioned')
  const joined = await provision(tx, deps, input, user.email)
  if (!joined) throw retryLater('unavailable', 1)
  return joined.membership
}

/**
 * Inserts an account for the team. Its email address stays unverified, because the team controls what its provider asserts.
 * @returns undefined if a concurrent transaction created an account with this email address, or linked the identity
 */
async function insertUser(
  tx: Transaction,
  deps: SsoDeps,
  input: ResolveInput,
  email: string,
): Promise<ResolvedUser | undefined> {
  const { autoProvision, organizationId: teamId } = input.provider
  if (!autoProvision || (await wasRemoved(tx, teamId, { email }))) throw rejection('sso_not_provisioned')
  const resolved = await provision(tx, deps, input, email, { onlyNew: true })
  if (!resolved || !(await link(tx, deps, input, resolved.user, 'created'))) return undefined
  return resolved
}

/** Links the identity to the user and records it. Returns false if the identity was linked concurrently. */
async function link(
  tx: Transaction,
  deps: SsoDeps,
  { provider, statement, origin }: ResolveInput,
  user: User,
  by: 'email' | 'created',
): Promise<boolean> {
  const linked = await linkIdentity(tx, deps.clock, {
    providerId: provider.id,
    subject: statement.subject,
    userId: user.id,
  })
  if (linked)
    await deps.audit.record(tx, { userId: user.id, teamId: provider.organizationId, origin }, 'sso_identity.linked', {
      resource: `user:${user.id}`,
      metadata: { provider: provider.id, by },
    })
  return linked
}
