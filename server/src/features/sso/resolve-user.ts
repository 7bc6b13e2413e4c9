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
  /** Called with an account that was there before. */
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
  resolving.about(user.id)
  if (!resolving.statement.email) requireDomain(resolving.provider, user.email)
  const membership = await admit(tx, resolving, user)
  return { user, membership: membership ?? (await join(tx, deps, resolving, user)) }
}

async function newIdentity(tx: Transaction, deps: SsoDeps, resolving: Resolving): Promise<Resolved | undefined> {
  const { provider, statement } = resolving
  const { email, emailVerified } = statement
  if (!email) throw refusal('sso_email_missing')
  const existing = await lockUserByEmail(tx, email.address)
  if (existing) resolving.about(existing.id)
  if (emailVerified === 'no')
    throw refusal('sso_email_unverified', { detail: 'The provider says that it is not verified' })
  if (!existing) return provision(tx, deps, resolving, email.address)

  const isVerified = emailVerified === 'yes' || provider.trustsEmail
  if (!isVerified)
    throw refusal('sso_email_unverified', {
      detail: 'The provider does not say whether it is verified, and the address has an account already',
    })
  const membership = await admit(tx, resolving, existing)
  if (!membership) requireJoinable(resolving, existing.email)
  if (!(await link(tx, deps, resolving, existing, 'email'))) return undefined
  return { user: existing, membership: membership ?? (await join(tx, deps, resolving, existing)) }
}

/** The membership of who is in the team, if they may come in by this provider. @throws sso_member_suspended, role_protected */
async function admit(
  tx: Transaction,
  { provider, permissions }: Resolving,
  user: User,
): Promise<Membership | undefined> {
  if (user.status !== 'active') throw refusal('sso_member_suspended')
  const membership = await findMember(tx, provider.organizationId, user.id)
  if (membership?.status === 'suspended') throw refusal('sso_member_suspended')
  if (membership) requireWithin(permissions, membership.role)
  return membership
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
  const { provider, origin } = resolving
  const teamId = provider.organizationId
  if (!provider.autoProvision) throw refusal('sso_not_provisioned')
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
