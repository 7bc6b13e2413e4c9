import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { rejectStale } from '../../../platform/http/entity-tag.js'
import { type ApplicationId, type GroupId, parseIds, type TeamId, type UserId } from '../../../platform/ids.js'
import { setChange, type TeamSubject } from '../../audit/index.js'
import { findGroup, lockGroup } from '../../groups/index.js'
import { lockMembers, memberError } from '../../members/index.js'
import { requirePermission } from '../../permissions/index.js'
import { rejection } from '../errors.js'
import type { ApplicationDeps } from '../manage-applications.js'
import { type AssignmentChange, assigneeRepository, type NamedApplication } from './assignee-repository.js'

interface GroupApplications {
  id: GroupId
  applications: NamedApplication[]
}

/** Returns the applications that are assigned to a group, by name. @throws group_not_found; forbidden without applications:read */
export const readGroupApplications = ({ db }: ApplicationDeps, actor: Actor, id: string): Promise<GroupApplications> =>
  db.transaction(async (tx) => {
    const { teamId } = actor
    const group = await findGroup(tx, teamId, id)
    requirePermission(actor, 'applications:read')
    return { id: group.id, applications: await assigneeRepository(tx, teamId, 'groups', group.id).assigned() }
  })

/**
 * Replaces the set of applications that are assigned to a group; its members inherit them. The first assignment of an application closes it
 * to all others.
 * @param ifMatch header with the ETag of the set that the caller read
 * @throws group_not_found, stale_version, application_not_found
 */
export const replaceGroupApplications = (
  { db, clock, audit }: ApplicationDeps,
  actor: Actor,
  id: string,
  applicationIds: string[],
  ifMatch: string | undefined,
): Promise<GroupApplications> =>
  db.transaction(async (tx) => {
    const group = await lockGroup(tx, actor.teamId, id)
    const repository = assigneeRepository(tx, actor.teamId, 'groups', group.id)
    const change = await replaceSet(repository, applicationIds, ifMatch, clock.now())
    await audit.record(tx, actor, 'group.applications_replaced', {
      resource: `group:${group.id}`,
      metadata: { name: group.name, ...setChange({ ...change }) },
    })
    return { id: group.id, applications: await repository.assigned() }
  })

/** Returns the applications that are assigned directly to the user, by name. Runs in the caller's transaction. */
export const applicationsOfUser = (tx: Transaction, teamId: TeamId, userId: UserId): Promise<NamedApplication[]> =>
  assigneeRepository(tx, teamId, 'users', userId).assigned()

/**
 * Replaces the set of applications that are assigned directly to a member, with an audit entry. The first assignment of an application
 * closes it to all others. Runs in the caller's transaction.
 * @throws user_not_found, application_not_found, stale_version
 */
export async function replaceApplicationsOfUser(
  tx: Transaction,
  { clock, audit }: Pick<ApplicationDeps, 'audit' | 'clock'>,
  actor: TeamSubject,
  userId: UserId,
  applicationIds: string[],
  ifMatch?: string,
): Promise<void> {
  if ((await lockMembers(tx, actor.teamId, [userId])).length === 0) throw memberError('user_not_found')
  const repository = assigneeRepository(tx, actor.teamId, 'users', userId)
  const change = await replaceSet(repository, applicationIds, ifMatch, clock.now())
  await audit.record(tx, actor, 'user.applications_replaced', {
    resource: `user:${userId}`,
    metadata: setChange({ ...change }),
  })
}

/**
 * Replaces the set of applications that are assigned to a locked user or group. The number of statements does not depend on the number of
 * applications. Returns the change, for the audit entry.
 * @throws application_not_found, stale_version: nothing has changed then
 */
async function replaceSet(
  repository: ReturnType<typeof assigneeRepository>,
  applicationIds: string[],
  ifMatch: string | undefined,
  now: Date,
): Promise<AssignmentChange> {
  const ids = parseIds<ApplicationId>(applicationIds)
  const locked = await repository.lockTouched(ids ?? [])
  const current = await repository.assigned()
  rejectStale(
    current.map(({ id }) => id),
    ifMatch,
  )
  if (!ids?.every((id) => locked.has(id))) throw rejection('application_not_found')
  return repository.replace(ids, now)
}
