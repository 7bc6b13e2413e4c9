import { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { ScimActor } from '../../platform/http/actor.js'
import {
  applyGroupPatch,
  fault,
  type MemberChange,
  readProjection,
  readResource,
  type ScimObject,
  textAt,
} from '../../protocols/scim/index.js'
import { addGroup, changeGroup, changeMembers, type Group, lockGroup, removeGroup } from '../groups/index.js'
import { profileFault } from '../members/index.js'
import { isDisplayName } from '../settings/index.js'
import type { DirectoryActor } from '../user-management/index.js'
import { asDirectory } from './as-directory.js'
import { baseOf } from './base-of.js'
import type { ScimDeps } from './deps.js'
import { type GroupRow, scimGroupRepository } from './group-repository.js'
import { groupResource } from './group-resource.js'
import { showGroup } from './read-groups.js'

/**
 * Makes a group with its members.
 * @throws {ScimFault} for a body that is no Group, invalidValue for somebody who is no user of the team; group_name_taken
 */
export function createGroup(deps: ScimDeps, actor: ScimActor, body: unknown): Promise<ScimObject> {
  const sent = readResource('Group', body)
  const { name, externalId } = namesOf(sent)
  return asDirectory(deps, actor, 'Group', async (tx, directory) => {
    const group = await addGroup(tx, deps, directory, { name })
    await scimGroupRepository(tx, actor.teamId).keep(group.id, externalId)
    await writeMembers(tx, deps, directory, group, { add: memberIds(sent), remove: [] })
    return showGroup(tx, deps, actor, group.id)
  })
}

/**
 * Makes the group the Group that the body is (RFC 7644 3.5.1): whoever it does not name is in it no longer.
 * @throws group_not_found, and as `createGroup`
 */
export function replaceGroup(deps: ScimDeps, actor: ScimActor, id: string, body: unknown): Promise<ScimObject> {
  const sent = readResource('Group', body)
  return asDirectory(deps, actor, 'Group', async (tx, directory) => {
    const group = await lockGroup(tx, actor.teamId, id)
    await becomeGroup(tx, deps, directory, { group, row: await rowOf(tx, actor, group), wanted: sent })
    await writeMembers(tx, deps, directory, group, { replace: memberIds(sent) })
    return showGroup(tx, deps, actor, group.id)
  })
}

/**
 * Changes what the operations name (RFC 7644 3.5.2), without reading who else is in the group.
 * @throws group_not_found, {ScimFault} of the operations, and as `createGroup`
 */
export function patchGroup(deps: ScimDeps, actor: ScimActor, id: string, body: unknown): Promise<void> {
  return asDirectory(deps, actor, 'Group', async (tx, directory) => {
    const group = await lockGroup(tx, actor.teamId, id)
    const row = await rowOf(tx, actor, group)
    const { group: wanted, members } = applyGroupPatch(groupResource(row, baseOf(deps, actor)), body)
    await becomeGroup(tx, deps, directory, { group, row, wanted })
    if (members) await writeMembers(tx, deps, directory, group, members)
  })
}

/** The group as it is after a change. @throws group_not_found */
export const showGroupAs = (
  deps: ScimDeps,
  actor: ScimActor,
  id: string,
  wanted: Parameters<typeof readProjection>[1],
): Promise<ScimObject> =>
  deps.db.transaction(async (tx) => {
    const group = await lockGroup(tx, actor.teamId, id)
    return showGroup(tx, deps, actor, group.id, readProjection('Group', wanted))
  })

/** Deletes the group. @throws group_not_found */
export const deleteGroup = (deps: ScimDeps, actor: ScimActor, id: string): Promise<void> =>
  asDirectory(deps, actor, 'Group', (tx, directory) => removeGroup(tx, deps, directory, id))

/** A step: what a directory sees of a locked group. */
async function rowOf(tx: Transaction, { teamId }: ScimActor, { id }: Group): Promise<GroupRow> {
  const row = await scimGroupRepository(tx, teamId).find(id)
  // Nobody deletes what is locked.
  if (!row) throw platformError('internal_error')
  return row
}

/** A step: a locked group gets the names of `wanted`, and is one that a directory writes. */
async function becomeGroup(
  tx: Transaction,
  deps: ScimDeps,
  directory: DirectoryActor,
  { group, row, wanted }: { group: Group; row: GroupRow; wanted: ScimObject },
): Promise<void> {
  const { name, externalId } = namesOf(wanted)
  await changeGroup(tx, deps, directory, group, { name })
  const isNamedSo = row.externalId === externalId
  if (!isNamedSo || !row.isWritten) await scimGroupRepository(tx, directory.teamId).keep(group.id, externalId)
  if (isNamedSo) return
  await deps.audit.record(tx, directory, 'group.updated', {
    resource: `group:${group.id}`,
    metadata: { changed: ['externalId'], name },
  })
}

/** @throws {ScimFault} invalidValue */
function namesOf(group: ScimObject): { name: string; externalId: string | null } {
  const name = textAt('Group', group, 'displayName') ?? ''
  if (!isDisplayName(name)) throw fault('invalidValue', '“displayName” is one line of at most 100 characters.')
  const externalId = textAt('Group', group, 'externalId') ?? null
  const wrong = externalId === null ? undefined : profileFault('externalId', externalId)
  if (wrong) throw fault('invalidValue', `“externalId” ${wrong}.`)
  return { name, externalId }
}

/** @throws {ScimFault} invalidValue for a member that is a group: groups are not nested */
function memberIds({ members }: ScimObject): string[] {
  const list = Array.isArray(members) ? (members as readonly ScimObject[]) : []
  return list.map((member) => {
    if (String(member.type ?? '').toLowerCase() === 'group')
      throw fault('invalidValue', 'A group has users as members, and no groups.')
    return String(member.value ?? '')
  })
}

/** A step: who is in a locked group. @throws {ScimFault} invalidValue for somebody who is no user of the team */
const writeMembers = (
  tx: Transaction,
  deps: ScimDeps,
  directory: DirectoryActor,
  group: Group,
  change: MemberChange,
): Promise<void> =>
  changeMembers(tx, deps, directory, group, change).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'user_not_found')
      throw fault('invalidValue', 'A member is no user of the team. Groups have users as members, and no groups.')
    throw error
  })
