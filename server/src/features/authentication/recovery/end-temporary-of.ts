import type { Database, Transaction } from '../../../platform/db/database.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import type { JobKind, Jobs } from '../../../platform/jobs/jobs.js'
import type { AuditSubject } from '../../audit/index.js'
import {
  atEndWithSetters,
  deleteTemporarySetter,
  type EndTemporaryOf,
  findMember,
  findMembers,
  originsWith,
  temporaryUsersAbove,
} from '../../members/index.js'
import { originsOf } from '../../passwords/index.js'
import { ROLES } from '../../permissions/index.js'
import { BATCH_LIMITS, lockUsers } from '../../users/index.js'
import {
  covers,
  type EndTemporaryDeps,
  endTemporaryCredentials,
  permissionsHeldBy,
} from './end-temporary-credentials.js'

const KIND = 'accounts.end_temporary'
/** Jobs of this kind that a node runs concurrently, each of another team. */
const CONCURRENCY = 2

interface Payload {
  teamId: TeamId
  setBy: UserId
  /** The roles that the setter still covered after losing permissions. */
  covered: string[]
  subject: AuditSubject
}

/**
 * Revokes temporary passwords, and what depends on them, for every user of the team with a permission that the member who set them no longer
 * has. `role` is the new role of that member; undefined if they are suspended or leave.
 *
 * A member can set temporary passwords for thousands of accounts, which also belong to other teams. So this locks none of them and takes the
 * same two statements for any number:
 * - The credentials are rejected as soon as the transaction commits, because every use compares the role of their user with that of the
 *   setter (`isCoveredBySetter`). This also applies to a user whose role is raised concurrently.
 * - A job revokes them in batches, so that they stay rejected if the setter gets the role back, and records the audit entries. It decides by
 *   the role at the time of this transaction, not by a later one.
 *
 * Runs at the end of the caller's transaction, which has locked the member's account: passwords that the member is setting are stored by
 * then, or rejected. If a savepoint that contained the change was rolled back, as for a dry run, nothing is revoked.
 */
export function endTemporaryOf(
  tx: Transaction,
  { jobs }: { jobs: Jobs },
  { userId: setBy, teamId, role }: Parameters<EndTemporaryOf>[1],
  { userId, agentId, sessionId, origin }: AuditSubject,
): void {
  const held = permissionsHeldBy(role)
  const covered = ROLES.filter((of) => covers(held, of))
  atEndWithSetters(tx, [setBy], true, async () => {
    const setter = await findMember(tx, teamId, setBy)
    if ((setter?.status === 'active' ? setter.role : undefined) !== role) return
    if ((await temporaryUsersAbove(tx, { teamId, setBy, covered, limit: 1 })).length === 0) return
    const payload = {
      teamId,
      setBy,
      covered,
      subject: { userId, teamId, agentId, sessionId, origin },
    } satisfies Payload
    await jobs.enqueue(tx, KIND, payload, teamId)
  })
}

/** Revokes what `endTemporaryOf` found, one batch of accounts per job. A team with thousands of them does not delay another team. */
export const endTemporaryJob = (deps: EndTemporaryDeps & { db: Database; jobs: Jobs }): JobKind => ({
  kind: KIND,
  aside: true,
  concurrency: CONCURRENCY,
  perTeam: 1,
  run: (payload) => endBatch(deps, payload as unknown as Payload),
})

function endBatch(deps: EndTemporaryDeps & { db: Database; jobs: Jobs }, payload: Payload): Promise<void> {
  const { teamId, setBy, covered, subject } = payload
  const limit = BATCH_LIMITS.accounts
  return deps.db.transaction(async (tx) => {
    const users = await temporaryUsersAbove(tx, { teamId, setBy, covered, limit })
    await lockUsers(tx, users)
    // Read again: a role may have changed while this transaction waited.
    const members = await findMembers(tx, teamId, users)
    for (const userId of users) {
      const role = members.get(userId)?.role
      if (role === undefined || covered.includes(role)) continue
      const origins = await originsWith(tx, await originsOf(tx, userId, teamId), setBy)
      await endTemporaryCredentials(tx, deps, userId, { teamId, origins }, subject)
      // So that the next batch begins with another user.
      await deleteTemporarySetter(tx, { userId, teamId, setBy })
    }
    if (users.length === limit) await deps.jobs.enqueue(tx, KIND, { ...payload }, teamId)
  })
}
