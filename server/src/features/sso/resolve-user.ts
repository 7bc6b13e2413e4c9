import type { Transaction } from '../../platform/db/database.js'
import { retryLater } from '../../platform/errors.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'
import { createUser, lockUser, lockUserByEmail, type User } from '../identities/index.js'
import { addMember, closeInvitations, findMember, type Membership } from '../members/index.js'
import { requireWithin } from './acting-permissions.js'
import type { SsoDeps } from './deps.js'
import { domainOf } from './domain-name.js'
import { refusal } from './errors.js'
import { findIdentity, linkIdentity } from './identity-repository.js'
import type { Provider } from './provider.js'
import type { Statement } from './statement.js'

/** What is known while somebody is looked for; a refusal names the account that it is about. */
export interface Resolving {
  provider: Provider
  permissions: ReadonlySet<string>
  statement: Statement
  origin: RequestOrigin
  /** Called with who was a member of the team before: of others the team learns nothing. */
  about(userId: UserId): void
}

export interface Resolved {
  user: User
  membership: Membership
}

const ATTEMPTS = 3

/**
 * A step: whom the provider means, locked, a member of the team. The pair of provider and subject decides; a subject that is new is
 * linked by a verified address to a member of the team, or joins it where the provider may let it.
 * @throws the refusals of this room, role_protected, limit_reached; then nothing may be kept
 */
export async function resolveUser(tx: Transaction, deps: SsoDeps, resolving: Resolving): Promise<Resolved> {
  const { provider, statement } = resolving
  if (statement.email) requireDomain(provider, statement.email.address)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const identity = await findIdentity(tx, provider.id, statement.subject)
    const resolved = identity
      ? await knownUser(tx, deps, resolving, identity.userId)
      : await newIdentity(tx, deps, resolving)
    // Undefined: somebody made or deleted it at the same moment.
    if (resolved) return resolved
  }
  throw retryLater('unavailable', 1)
}

/** A filled list refuses every other domain, of people that are known too. @throws sso_domain_not_allowed */
function requireDomain({ allowedDomains }: Provider, email: string): void {
  if (allowedDomains.length > 0 && !allowedDomains.includes(domainOf(email)))
    throw refusal('sso_domain_not_allowed', { detail: `${domainOf(email)} is not among the domains of the provider` })
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
  if (!email) throw refusal('sso_email_missing')
  const existing = await lockUserByEmail(tx, email.address)
  const membership = existing && (await membershipOf(tx, resolving, existing))
  if (emailVerified === 'no') throw unverified()
  if (!existing) return provision(tx, deps, resolving, email.address)

  // First what a new account is asked too: else the refusal would tell that somebody elsewhere has this address.
  if (!membership) requireJoinable(resolving, existing.email)
  if (emailVerified !== 'yes' && !provider.trustsEmail) throw unverified()
  requireAdmissible(resolving, existing, membership)
  if (!(await link(tx, deps, resolving, existing, 'email'))) return undefined
  return { user: existing, membership: membership ?? (await join(tx, deps, resolving, existing)) }
}

/** In the same words whether the address has an account or none. */
const unverified = () =>
  refusal('sso_email_unverified', { detail: 'The provider does not say that the address is verified' })

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
  if (user.status !== 'active' || membership?.status === 'suspended') throw refusal('sso_member_suspended')
  if (membership) requireWithin(permissions, membership.role)
}

/** An account that others may have made joins by a domain that the team has listed, and by no other. @throws sso_not_provisioned */
function requireJoinable({ provider }: Resolving, email: string): void {
  const { autoProvision, allowedDomains } = provider
  if (!autoProvision || !allowedDomains.includes(domainOf(email))) throw refusal('sso_not_provisioned')
}

const ROLE = 'MEMBER'

async function join(tx: Transaction, deps: SsoDeps, resolving: Resolving, user: User): Promise<Membership> {
  const { provider, permissions, origin } = resolving
  const teamId = provider.organizationId
  requireJoinable(resolving, user.email)
  requireWithin(permissions, ROLE)
  // Whom this team has made comes back as its own; to others it is a team that merely added them.
  const counts = user.madeByTeamId === teamId
  await addMember(tx, deps.clock, { userId: user.id, teamId, role: ROLE, counts })
  const subject = { userId: user.id, teamId, origin }
  await closeInvitations(tx, deps, subject, user.email)
  await deps.audit.record(tx, subject, 'member.added', {
    resource: `user:${user.id}`,
    metadata: { role: ROLE, method: 'sso', provider: provider.id },
  })
  return (await findMember(tx, teamId, user.id)) as Membership
}

/**
 * Makes the account, for the team. Its address is proven to nobody else by that, whatever the provider says: a team could make it say
 * anything.
 */
async function provision(
  tx: Transaction,
  deps: SsoDeps,
  resolving: Resolving,
  email: string,
): Promise<Resolved | undefined> {
  const { provider, permissions, origin } = resolving
  const teamId = provider.organizationId
  if (!provider.autoProvision) throw refusal('sso_not_provisioned')
  requireWithin(permissions, ROLE)
  const user = await createUser(tx, deps.clock, { email, selfRegistered: false, madeByTeamId: teamId })
  if (!user) return undefined
  const subject = { userId: user.id, teamId, origin }
  await deps.audit.record(tx, subject, 'user.created', {
    resource: `user:${user.id}`,
    metadata: { email, method: 'sso', provider: provider.id },
  })
  await addMember(tx, deps.clock, { userId: user.id, teamId, role: ROLE, counts: true })
  await closeInvitations(tx, deps, subject, email)
  await deps.audit.record(tx, subject, 'member.added', {
    resource: `user:${user.id}`,
    metadata: { role: ROLE, method: 'sso', provider: provider.id },
  })
  if (!(await link(tx, deps, resolving, user, 'created'))) return undefined
  return { user, membership: (await findMember(tx, teamId, user.id)) as Membership }
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
