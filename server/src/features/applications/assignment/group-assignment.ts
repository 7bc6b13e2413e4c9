import type { Actor } from '../../../platform/http/actor.js'
import type { GroupId } from '../../../platform/ids.js'
import { setChange } from '../../audit/index.js'
import { findGroup, lockGroup } from '../../groups/index.js'
import type { ApplicationDeps } from '../deps.js'
import { assigneeRepository, type NamedApplication } from './assignee-repository.js'
import { replaceApplicationsOf } from './replace-applications-of.js'

export interface GroupApplications {
  id: GroupId
  applications: NamedApplication[]
}

/** Returns the applications that are assigned to a group, by name. @throws group_not_found */
export const readGroupApplications = (
  { db }: Pick<ApplicationDeps, 'db'>,
  { teamId }: Actor,
  id: string,
): Promise<GroupApplications> =>
  db.transaction(async (tx) => {
    const group = await findGroup(tx, teamId, id)
    return { id: group.id, applications: await assigneeRepository(tx, teamId, 'groups', group.id).assigned() }
  })

/**
 * Replaces the set of applications that are assigned to a group; its members inherit them. The first assignment of an application closes it
 * to all others.
 * @param ifMatch header with the ETag of the set that the caller read
 * @throws group_not_found, stale_version, application_not_found
 */
export function replaceGroupApplications(
  deps: ApplicationDeps,
  actor: Actor,
  id: string,
  applicationIds: string[],
  ifMatch: string | undefined,
): Promise<GroupApplications> {
  return deps.db.transaction(async (tx) => {
    const group = await lockGroup(tx, actor.teamId, id)
    const { assigned } = assigneeRepository(tx, actor.teamId, 'groups', group.id)
    const change = await replaceApplicationsOf(tx, deps, actor.teamId, ['groups', group.id], applicationIds, ifMatch)
    await deps.audit.record(tx, actor, 'group.applications_replaced', {
      resource: `group:${group.id}`,
      metadata: { name: group.name, ...setChange({ ...change }) },
    })
    return { id: group.id, applications: await assigned() }
  })
}
