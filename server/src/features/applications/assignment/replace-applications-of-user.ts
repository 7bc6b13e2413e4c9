import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { UserId } from '../../../platform/ids.js'
import { setChange } from '../../audit/index.js'
import { lockMembers, memberError } from '../../members/index.js'
import type { ApplicationDeps } from '../deps.js'
import { replaceApplicationsOf } from './replace-applications-of.js'

/**
 * Replaces the set of applications that are assigned directly to a member, with an audit entry. The first assignment of an application
 * closes it to all others. Runs in the caller's transaction.
 * @throws user_not_found, application_not_found, stale_version
 */
export async function replaceApplicationsOfUser(
  tx: Transaction,
  deps: Pick<ApplicationDeps, 'audit' | 'clock'>,
  actor: Pick<Actor, 'userId' | 'teamId' | 'origin'>,
  userId: UserId,
  applicationIds: string[],
  ifMatch?: string,
): Promise<void> {
  if ((await lockMembers(tx, actor.teamId, [userId])).length === 0) throw memberError('user_not_found')
  const change = await replaceApplicationsOf(tx, deps, actor.teamId, ['users', userId], applicationIds, ifMatch)
  await deps.audit.record(tx, actor, 'user.applications_replaced', {
    resource: `user:${userId}`,
    metadata: setChange({ ...change }),
  })
}
