import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { retryLater } from '../../../platform/errors.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { MembershipId, TeamId, UserId } from '../../../platform/ids.js'
import type { AuditSubject, NewEntry } from '../../audit/index.js'
import {
  addMembers,
  closeInvitations,
  type DirectoryProfile,
  findMembers,
  type MemberSource,
  type Membership,
  type Seats,
} from '../../members/index.js'
import { type Role, requireRoleWithin } from '../../permissions/index.js'
import { createUsers, lockUsersByEmail } from '../../users/index.js'
import type { EndDeps } from '../deps.js'

/** A user whom a team provisions, through any entry point. */
export interface UserToProvision {
  /** Normalized. */
  email: string
  /** Stored on the membership. The own profile of the account is never written. */
  profile: DirectoryProfile
  role: Role
  status: Membership['status']
  source: MemberSource
  /** The actor, whose permissions the role must be within. Without `userId` the user is the actor. */
  by: { userId?: UserId | null; permissions: ReadonlySet<string>; origin: RequestOrigin }
  /** Metadata of the audit entries, such as the method. */
  metadata: { created: Record<string, unknown>; added: Record<string, unknown> }
}

export interface ProvisionedUser {
  userId: UserId
  membershipId: MembershipId
  /** `joined`: the account existed, the membership did not. `member`: both existed and nothing was written. */
  outcome: 'created' | 'joined' | 'member'
  createdAt: Date
}

const ATTEMPTS = 3

/**
 * Makes users members of a team. An email address without an account gets an account, active and unverified; an account without a
 * membership gets one, unconfirmed. The number of statements does not depend on the number of users. Locks accounts before the team, and
 * reads memberships after the lock. Runs in the caller's transaction.
 * @param options.onlyNew leaves out email addresses that have an account
 * @param options.seats as in `addMembers`
 * @returns the result for each user; undefined where `onlyNew` leaves the user out
 * @throws role_protected, limit_reached, external_id_taken, organization_not_found: the transaction must not commit
 */
export async function provisionUsers(
  tx: Transaction,
  deps: Pick<EndDeps, 'clock' | 'audit'>,
  teamId: TeamId,
  users: UserToProvision[],
  { onlyNew = false, seats }: { onlyNew?: boolean; seats?: Seats | undefined } = {},
): Promise<(ProvisionedUser | undefined)[]> {
  const { clock, audit } = deps
  for (const { by, role } of users) requireRoleWithin(by, role)
  const emails = users.map(({ email }) => email)
  const created = await createUsers(tx, clock, teamId, emails)
  const accounts = new Map(created)
  if (!onlyNew) await lockExisting(tx, clock, teamId, emails, accounts, created)

  // The second of two users with the same email address is already a member.
  const taken = new Set<string>()
  const isFirst = users.map(({ email }) => !taken.has(email) && taken.add(email))
  const existing = onlyNew ? new Map() : await membersAmong(tx, teamId, accounts, created)
  const joining = users.flatMap((user, index) => {
    const userId = isFirst[index] ? accounts.get(user.email) : undefined
    return userId && !existing.has(userId) ? [{ user, userId }] : []
  })
  const results = new Map<string, ProvisionedUser>()
  for (const [email, userId] of accounts) {
    const member = existing.get(userId)
    if (member) results.set(email, { userId, membershipId: member.id, outcome: 'member', createdAt: member.createdAt })
  }
  if (joining.length > 0) {
    const members = joining.map(({ user, userId }) => {
      const { email, role, status, source, profile } = user
      return { userId, email, role, status, source, confirmed: false, profile }
    })
    const { ids, addedAt, invited } = await addMembers(tx, clock, teamId, members, seats)
    for (const { user, userId } of joining)
      if (invited.includes(user.email)) await closeInvitations(tx, deps, subjectOf(teamId, user, userId), user.email)
    await audit.recordAll(
      tx,
      joining.flatMap(({ user, userId }) => entriesOf(teamId, user, userId, created.has(user.email))),
    )
    joining.forEach(({ user: { email }, userId }, index) => {
      const outcome = created.has(email) ? 'created' : 'joined'
      results.set(email, { userId, membershipId: ids[index] as MembershipId, outcome, createdAt: addedAt })
    })
  }
  return users.map(({ email }, index) => {
    const result = results.get(email)
    if (!result || isFirst[index]) return result
    return onlyNew ? undefined : { ...result, outcome: 'member' }
  })
}

/**
 * Locks the accounts that existed, and adds them to `accounts`. Retries, because an account may be renamed or deleted before it is
 * locked.
 */
async function lockExisting(
  tx: Transaction,
  clock: Clock,
  teamId: TeamId,
  emails: string[],
  accounts: Map<string, UserId>,
  created: Map<string, UserId>,
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const missing = emails.filter((email) => !accounts.has(email))
    if (missing.length === 0) return
    for (const { email, id } of await lockUsersByEmail(tx, missing)) accounts.set(email, id)
    const free = missing.filter((email) => !accounts.has(email))
    if (free.length === 0) return
    for (const [email, id] of await createUsers(tx, clock, teamId, free)) {
      accounts.set(email, id)
      created.set(email, id)
    }
  }
  if (emails.some((email) => !accounts.has(email))) throw retryLater('unavailable', 1)
}

async function membersAmong(
  tx: Transaction,
  teamId: TeamId,
  accounts: Map<string, UserId>,
  created: Map<string, UserId>,
): Promise<Map<UserId, Pick<Membership, 'id' | 'createdAt'>>> {
  const known = [...accounts].filter(([email]) => !created.has(email)).map(([, userId]) => userId)
  return known.length === 0 ? new Map() : findMembers(tx, teamId, known)
}

const subjectOf = (teamId: TeamId, { by }: UserToProvision, self: UserId): AuditSubject & { teamId: TeamId } => ({
  ...by,
  userId: by.userId === undefined ? self : by.userId,
  teamId,
})

function entriesOf(teamId: TeamId, user: UserToProvision, userId: UserId, isNew: boolean): NewEntry[] {
  const { email, role, metadata } = user
  const by = subjectOf(teamId, user, userId)
  const resource = `user:${userId}`
  return [
    ...(isNew
      ? [{ by, action: 'user.created' as const, details: { resource, metadata: { email, ...metadata.created } } }]
      : []),
    { by, action: 'member.added', details: { resource, metadata: { role, ...metadata.added } } },
  ]
}
