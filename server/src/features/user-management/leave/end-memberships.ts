import { undefinedOn } from '../../../platform/app-error.js'
import { MINUTE } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { MembershipId, TeamId, UserId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import type { TeamSubject } from '../../audit/index.js'
import { closeInvitations, type Membership, requireRemainingAdmin, updateMembership } from '../../members/index.js'
import { isTopRole, permissionsOf } from '../../permissions/index.js'
import type { UserDeps } from '../deps.js'
import { type LockedUser, lockUserOfTeam } from '../lock-user-of-team.js'
import { revokeTeamAccess } from '../revoke-team-access.js'

const LEAVE_JOB = 'users.leave'
const PAGE = 100

interface Due {
  id: MembershipId
  userId: UserId
  teamId: TeamId
  leaveAt: Date
}

const dueMemberships = namedQuery<Due, [Date, Date, MembershipId | null, number]>(
  'users.due_to_leave',
  `SELECT id, user_id AS "userId", organization_id AS "teamId", leave_at AS "leaveAt" FROM memberships
   WHERE leave_at <= $1 AND ($3::uuid IS NULL OR (leave_at, id) > ($2, $3)) ORDER BY leave_at, id LIMIT $4`,
)

/**
 * Suspends the memberships whose leave date is reached. Each is a transaction of its own, which locks the account, reads the date again and
 * clears it, so that every date takes effect once, although several nodes may run the job.
 */
export const endMemberships = (deps: UserDeps): JobKind => ({
  kind: LEAVE_JOB,
  every: MINUTE,
  run: async () => {
    const now = deps.clock.now()
    let failure: { error: unknown } | undefined
    for (let last: Due | undefined, isLast = false; !isLast; ) {
      const page = await deps.db.run(dueMemberships, [now, last?.leaveAt ?? now, last?.id ?? null, PAGE])
      for (const due of page)
        await endMembership(deps, due).catch((error: unknown) => {
          // The others must not wait for this one.
          failure ??= { error }
        })
      last = page.at(-1)
      isLast = page.length < PAGE
    }
    if (failure) throw failure.error
  },
})

const endMembership = (deps: UserDeps, { userId, teamId }: Due): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const user = await lockUserOfTeam(tx, teamId, userId, true).catch(undefinedOn('user_not_found'))
    if (!user?.membership.leaveAt || user.membership.leaveAt > deps.clock.now()) return
    await suspend(tx, deps, user)
  })

/** Suspends the member as an administrator would, or records why not. Runs in the caller's transaction, which has locked the account. */
async function suspend(tx: Transaction, deps: UserDeps, { account, membership }: LockedUser): Promise<void> {
  const { clock, audit } = deps
  const { organizationId: teamId, leaveAt } = membership
  const by: TeamSubject = { userId: null, teamId, origin: { ip: null, userAgent: null, requestId: LEAVE_JOB } }
  const resource = `user:${account.id}`
  const cleared = { leaveAt: null, leavePermissions: null, updatedAt: clock.now() }
  if (membership.status === 'suspended') {
    await updateMembership(tx, membership, cleared)
    return audit.record(tx, by, 'user.updated', { resource, metadata: { changed: ['leaveAt'], leaveAt: null } })
  }
  const obstacle = await obstacleTo(tx, membership)
  if (obstacle) {
    await updateMembership(tx, membership, cleared)
    const metadata = { reason: 'leave_date', leaveAt, code: obstacle }
    return audit.record(tx, by, 'user.suspended', { resource, result: 'FAILURE', metadata })
  }
  // Before the membership is written: a sign-in locks in this order too.
  const ended = await revokeTeamAccess(tx, deps, account.id, teamId, 'suspended', by)
  await updateMembership(tx, membership, { ...cleared, status: 'suspended', tokensSince: clock.now() })
  await closeInvitations(tx, deps, by, account.email)
  return audit.record(tx, by, 'user.suspended', { resource, metadata: { ...ended, reason: 'leave_date', leaveAt } })
}

/** Returns the code of the rule that forbids the suspension, if any. Runs in the caller's transaction. */
async function obstacleTo(tx: Transaction, membership: Membership): Promise<string | undefined> {
  const { role, leavePermissions, organizationId, userId } = membership
  const held = new Set(leavePermissions)
  // The member may have got a role since which the caller who set the date could not suspend.
  if ([...permissionsOf(role)].some((permission) => !held.has(permission))) return 'role_protected'
  if (!isTopRole(role)) return undefined
  const remains = await requireRemainingAdmin(tx, organizationId, userId)
    .then(() => true)
    .catch(undefinedOn('last_admin'))
  return remains ? undefined : 'last_admin'
}
