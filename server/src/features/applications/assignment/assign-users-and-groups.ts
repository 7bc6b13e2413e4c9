import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { rejectStale } from '../../../platform/http/entity-tag.js'
import { type ApplicationId, type GroupId, parseIds, type TeamId, type UserId } from '../../../platform/ids.js'
import { setChange } from '../../audit/index.js'
import { groupError, lockGroups } from '../../groups/index.js'
import { lockMembers, memberError } from '../../members/index.js'
import type { ApplicationDeps } from '../manage-applications.js'
import { type AssigneeKind, applicationRepository, findApplication, lockApplication } from '../repository.js'

const KINDS = {
  users: {
    lock: (tx: Transaction, teamId: TeamId, ids: string[]): Promise<string[]> =>
      lockMembers(tx, teamId, ids as UserId[]),
    unknown: () => memberError('user_not_found'),
    action: 'application.users_assigned',
  },
  groups: {
    lock: (tx: Transaction, teamId: TeamId, ids: string[]): Promise<string[]> =>
      lockGroups(tx, teamId, ids as GroupId[]),
    unknown: () => groupError('group_not_found'),
    action: 'application.groups_assigned',
  },
} as const

/** The users or groups to whom an application is assigned. */
interface Assignment {
  applicationId: ApplicationId
  ids: string[]
}

/** Returns the IDs of the assigned users or groups, in ascending order. @throws application_not_found */
export const readAssignment = (
  { db }: ApplicationDeps,
  actor: Actor,
  kind: AssigneeKind,
  id: string,
): Promise<Assignment> =>
  db.transaction(async (tx) => {
    const application = await findApplication(tx, actor.teamId, id)
    return {
      applicationId: application.id,
      ids: await applicationRepository(tx, actor.teamId).assigned(kind, application),
    }
  })

/**
 * Replaces the set of users or groups to whom the application is assigned. The first assignment closes it to all others, until
 * `assignmentRequired` is reset.
 * @param ifMatch header with the ETag of the set that the caller read
 * @throws application_not_found, stale_version, user_not_found or group_not_found
 */
export function replaceAssignment(
  { db, clock, audit }: ApplicationDeps,
  actor: Actor,
  kind: AssigneeKind,
  id: string,
  wanted: string[],
  ifMatch: string | undefined,
): Promise<Assignment> {
  const { lock, unknown, action } = KINDS[kind]
  const ids = parseIds(wanted)
  return db.transaction(async (tx) => {
    const repository = applicationRepository(tx, actor.teamId)
    const before = await lockApplication(tx, actor.teamId, id)
    const assigned = await repository.assigned(kind, before)
    rejectStale(assigned, ifMatch)
    if (!ids || (await lock(tx, actor.teamId, ids)).length < ids.length) throw unknown()

    const others = await repository.assigned(kind === 'users' ? 'groups' : 'users', before)
    const isFirst = ids.length > 0 && assigned.length === 0 && others.length === 0
    const { added, removed } = await repository.assign(kind, before, assigned, ids)
    const { assignmentRequired } = await repository.update(before, {
      ...(isFirst && { assignmentRequired: true }),
      updatedAt: clock.now(),
    })
    await audit.record(tx, actor, action, {
      resource: `application:${before.id}`,
      metadata: { ...setChange({ added, removed }), assignmentRequired },
    })
    return { applicationId: before.id, ids }
  })
}
