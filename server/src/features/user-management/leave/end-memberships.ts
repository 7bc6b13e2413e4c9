import { undefinedOn } from '../../../platform/app-error.js'
import { SECOND } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { MembershipId, TeamId, UserId } from '../../../platform/ids.js'
import { enqueueingEach, type JobKind } from '../../../platform/jobs/jobs.js'
import type { TeamSubject } from '../../audit/index.js'
import { closeInvitations, type Membership, requireRemainingAdmin, updateMembership } from '../../members/index.js'
import { isTopRole } from '../../permissions/index.js'
import { queueKey } from '../../teams/index.js'
import type { UserDeps } from '../deps.js'
import { type LockedUser, lockUserOfTeam } from '../lock-user-of-team.js'
import { revokeTeamAccess } from '../revoke-team-access.js'
import { NO_LEAVE_DATE } from './leave-date.js'
import { mayTakeEffect } from './may-take-effect.js'

const LEAVE_JOB = 'users.leave'
const LEAVE_TEAM_JOB = 'users.leave_of_team'
/** Half of the documented minute, so that the jobs of the teams have the other half. */
const INTERVAL = 30 * SECOND
/** Memberships of one job. Small, because the other teams wait for it. */
const BATCH = 5
/** Jobs that a node processes concurrently, each of teams of another creator. */
const CONCURRENCY = 2

interface Due {
  id: MembershipId
  userId: UserId
  leaveAt: Date
}

interface LeaveJob {
  team: TeamId
  queueKey: TeamId
  /** The last membership of the previous batch. */
  after?: { leaveAt: string; id: MembershipId }
}

/** Enqueues a job for each team with due memberships that has none. */
const enqueueTeams = namedQuery<never, { now: Date }>(
  'users.enqueue_leave_of_teams',
  enqueueingEach(
    LEAVE_TEAM_JOB,
    { team: 'queue_key', payload: "jsonb_build_object('team', team, 'queueKey', queue_key)", now: ':now' },
    `FROM (
       SELECT DISTINCT o.id AS team, ${queueKey('o')} AS queue_key
       FROM memberships m JOIN organizations o ON o.id = m.organization_id WHERE m.leave_at <= :now) AS due
     WHERE NOT EXISTS (SELECT FROM jobs j WHERE j.kind = '${LEAVE_TEAM_JOB}' AND j.team_id = due.queue_key AND j.failed_at IS NULL
       AND j.payload->>'team' = due.team::text)`,
  ),
)

const dueMemberships = namedQuery<
  Due,
  { team: TeamId; now: Date; afterDate: string | null; afterId: MembershipId | null; limit: number }
>(
  'users.due_to_leave',
  `SELECT id, user_id AS "userId", leave_at AS "leaveAt" FROM memberships
   WHERE organization_id = :team AND leave_at <= :now
     AND (:afterId::uuid IS NULL OR (leave_at, id) > (:afterDate::timestamptz, :afterId)) ORDER BY leave_at, id LIMIT :limit`,
)

/**
 * Suspends the memberships whose leave date is reached, in small batches. The teams of different creators are served round-robin, so that a
 * team with thousands of due memberships does not delay others. Each membership is a transaction of its own, which locks the account, reads
 * the date again and clears it, so that every date takes effect once, although several nodes may run the jobs.
 */
export const leaveJobs = (deps: UserDeps): JobKind[] => [
  {
    kind: LEAVE_JOB,
    every: INTERVAL,
    run: async () => void (await deps.db.run(enqueueTeams, { now: deps.clock.now() })),
  },
  {
    kind: LEAVE_TEAM_JOB,
    aside: true,
    concurrency: CONCURRENCY,
    perTeam: 1,
    run: (payload) => endMemberships(deps, payload as unknown as LeaveJob),
  },
]

async function endMemberships(deps: UserDeps, { team, queueKey: key, after }: LeaveJob): Promise<void> {
  const { db, clock, jobs, log } = deps
  const [afterDate, afterId] = [after?.leaveAt ?? null, after?.id ?? null]
  const batch = await db.run(dueMemberships, { team, now: clock.now(), afterDate, afterId, limit: BATCH })
  for (const { id, userId } of batch)
    await endMembership(deps, userId, team).catch((error: unknown) => {
      // The others must not wait for this one, which stays due: the next job of the team starts with it again.
      log.error({ err: error, team, membership: id }, 'a membership was not suspended at its leave date')
    })
  const last = batch.at(-1)
  if (!last || batch.length < BATCH) return
  const next = { team, queueKey: key, after: { leaveAt: last.leaveAt.toISOString(), id: last.id } } satisfies LeaveJob
  await db.transaction((tx) => jobs.enqueue(tx, LEAVE_TEAM_JOB, next, key))
}

const endMembership = (deps: UserDeps, userId: UserId, teamId: TeamId): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const user = await lockUserOfTeam(tx, teamId, userId).catch(undefinedOn('user_not_found'))
    if (!user?.membership.leaveAt || user.membership.leaveAt > deps.clock.now()) return
    await suspend(tx, deps, user)
  })

/** Suspends the member as an administrator would, or records why not. Runs in the caller's transaction, which has locked the account. */
async function suspend(tx: Transaction, deps: UserDeps, { account, membership }: LockedUser): Promise<void> {
  const { clock, audit } = deps
  const { organizationId: teamId, leaveAt } = membership
  const by: TeamSubject = { userId: null, teamId, origin: { ip: null, userAgent: null, requestId: LEAVE_JOB } }
  const resource = `user:${account.id}`
  const cleared = { ...NO_LEAVE_DATE, updatedAt: clock.now() }
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
  const { role, organizationId, userId } = membership
  if (!(await mayTakeEffect(tx, membership))) return 'role_protected'
  if (!isTopRole(role)) return undefined
  const remains = await requireRemainingAdmin(tx, organizationId, userId)
    .then(() => true)
    .catch(undefinedOn('last_admin'))
  return remains ? undefined : 'last_admin'
}
