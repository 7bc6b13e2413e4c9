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

/** The input of a search for the user of a statement. */
export interface Resolving {
  provider: Provider
  permissions: ReadonlySet<string>
  statement: Statement
  origin: RequestOrigin
  /** Called with a user who already was a member: a rejection names only these, because the team must learn nothing about others. */
  about(userId: UserId): void
}

export interface Resolved {
  user: User
  membership: Membership
}

const ATTEMPTS = 3

/** Locks the account that `resolveUser` will find, if there is one. Runs in the caller's transaction. */
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
 * @throws errors of this module, role_protected, limit_reached; the caller must roll back
 */
export async function resolveUser(tx: Transaction, deps: SsoDeps, resolving: Resolving): Promise<Resolved> {
  const { provider, statement } = resolving
  if (statement.email) requireDomain(provider, statement.email.address)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const identity = await findIdentity(tx, provider.id, statement.subject)
    const resolved = identity
      ? await knownUser(tx, deps, resolving, identity.userId)
      : await newIdentity(tx, deps, resolving)
    // Undefined: a concurrent transaction inserted or deleted it.
    if (resolved) return resolved
  }
  throw retryLater('unavailable', 1)
}

/** A non-empty list rejects every other domain, also for known users. @throws sso_domain_not_allowed */
function requireDomain({ allowedDomains }: Provider, email: string): void {
  if (allowedDomains.length > 0 && !allowedDomains.includes(domainOf(email)))
    throw rejection('sso_domain_not_allowed', { detail: `${domainOf(email)} is not among the domains of the provider` })
}

async function knownUser(
  tx: Transaction,
  deps: SsoDeps,
  resolving: Resolving,
  userId: UserId,
): Promise<Resolved | undefined> {
  const user = await lockUser(tx, userId)
  if (!user) return undefined
  const membership = await membershipOf(tx, resolving, user)
  if (!resolving.statement.email) requireDomain(resolving.provider, user.email)
  requireAdmissible(resolving, user, membership)
  return { user, membership: membership ?? (await join(tx, deps, resolving, user)) }
}

async function newIdentity(tx: Transaction, deps: SsoDeps, resolving: Resolving): Promise<Resolved | undefined> {
  const { provider, statement } = resolving
  const { email, emailVerified } = statement
  if (!email) throw rejection('sso_email_missing')
  const existing = await lockUserByEmail(tx, email.address)
  const membership = existing && (await membershipOf(tx, resolving, existing))
  if (emailVerified === 'no') throw unverified()
  if (!existing) return insertUser(tx, deps, resolving, email.address)

  // The same checks as for a new account come first: otherwise the error would reveal that an account has this email address.
  if (!membership) requireJoinable(resolving, existing.email)
  if (emailVerified !== 'yes' && !provider.trustsEmail) throw unverified()
  requireAdmissible(resolving, existing, membership)
  if (!(await link(tx, deps, resolving, existing, 'email'))) return undefined
  return { user: existing, membership: membership ?? (await join(tx, deps, resolving, existing)) }
}

/** The same error whether or not the email address has an account. */
const unverified = () =>
  rejection('sso_email_unverified', { detail: 'The provider does not state that the email address is verified' })

async function membershipOf(
  tx: Transaction,
  { provider, about }: Resolving,
  user: User,
): Promise<Membership | undefined> {
  const membership = await findMember(tx, provider.organizationId, user.id)
  if (membership) about(user.id)
  return membership
}

/** @throws sso_member_suspended, role_protected */
function requireAdmissible({ permissions }: Resolving, user: User, membership: Membership | undefined): void {
  if (user.status !== 'active' || membership?.status === 'suspended') throw rejection('sso_member_suspended')
  if (membership) requireWithin(permissions, membership.role)
}

/** An existing account joins only by a domain that the team has listed. @throws sso_not_provisioned */
function requireJoinable({ provider }: Resolving, email: string): void {
  const { autoProvision, allowedDomains } = provider
  if (!autoProvision || !allowedDomains.includes(domainOf(email))) throw rejection('sso_not_provisioned')
}

const ROLE = 'MEMBER'

/** Adds the user to the team. The account is not renamed meanwhile: it is locked, or inserted by this transaction. */
async function provision(
  tx: Transaction,
  deps: SsoDeps,
  { provider, permissions, origin }: Resolving,
  email: string,
  { onlyNew = false } = {},
): Promise<Resolved | undefined> {
  requireWithin(permissions, ROLE)
  const teamId = provider.organizationId
  const source = { method: 'sso', provider: provider.id }
  const metadata = { created: source, added: source }
  const by = { permissions, origin }
  const joining: UserToProvision = { email, profile: {}, role: ROLE, status: 'active', source: 'sso', by, metadata }
  const [provisioned] = await provisionUsers(tx, deps, teamId, [joining], { onlyNew })
  if (!provisioned) return undefined
  const user = await lockUser(tx, provisioned.userId)
  const membership = await findMember(tx, teamId, provisioned.userId)
  return user && membership && { user, membership }
}

/** Adds an existing, locked account to the team. @throws sso_not_provisioned, role_protected, limit_reached */
async function join(tx: Transaction, deps: SsoDeps, resolving: Resolving, user: User): Promise<Membership> {
  requireJoinable(resolving, user.email)
  if (await wasRemoved(tx, resolving.provider.organizationId, user)) throw rejection('sso_not_provisioned')
  const joined = await provision(tx, deps, resolving, user.email)
  if (!joined) throw retryLater('unavailable', 1)
  return joined.membership
}

/**
 * Inserts an account for the team. Its email address stays unverified, because the team controls what its provider asserts.
 * @returns undefined if the email address got an account meanwhile
 */
async function insertUser(
  tx: Transaction,
  deps: SsoDeps,
  resolving: Resolving,
  email: string,
): Promise<Resolved | undefined> {
  const { autoProvision, organizationId: teamId } = resolving.provider
  if (!autoProvision || (await wasRemoved(tx, teamId, { email }))) throw rejection('sso_not_provisioned')
  const resolved = await provision(tx, deps, resolving, email, { onlyNew: true })
  if (!resolved || !(await link(tx, deps, resolving, resolved.user, 'created'))) return undefined
  return resolved
}

async function link(
  tx: Transaction,
  deps: SsoDeps,
  { provider, statement, origin }: Resolving,
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
