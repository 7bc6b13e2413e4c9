import { AppError } from '../../../platform/app-error.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import {
  applyGroupPatch,
  invalidRequest,
  type MemberChange,
  type Projection,
  readResource,
  type ScimObject,
  stringAt,
} from '../../../protocols/scim/index.js'
import { addGroup, changeGroup, changeMembers, type Group, lockGroup, removeGroup } from '../../groups/index.js'
import { profileViolation } from '../../members/index.js'
import { isDisplayName } from '../../settings/index.js'
import { type ScimDeps, serviceUrlOf } from '../model/deps.js'
import { type DirectoryChange, runAsDirectory } from '../model/run-as-directory.js'
import { type GroupRow, scimGroupRepository } from './group-repository.js'
import { groupResource, showGroup } from './read-groups.js'

/**
 * Creates a group with its members.
 * @throws {ScimError} for an invalid Group, invalidValue for a member who is not a user of the team; group_name_taken
 */
export function createGroup(deps: ScimDeps, actor: ScimActor, body: unknown): Promise<ScimObject> {
  const sent = readResource('Group', body)
  const { name, externalId } = namesOf(sent)
  return runAsDirectory(deps, actor, 'Group', async (change) => {
    const { tx, directory } = change
    const group = await addGroup(tx, deps, directory, { name })
    await scimGroupRepository(tx, actor.teamId).storeExternalId(group.id, externalId)
    await writeMembers(change, group, { add: memberIds(sent), remove: [] })
    return showGroup(tx, deps, actor, group.id)
  })
}

/**
 * Replaces the group and its members (RFC 7644 section 3.5.1).
 * @throws group_not_found, and as `createGroup`
 */
export function replaceGroup(deps: ScimDeps, actor: ScimActor, id: string, body: unknown): Promise<ScimObject> {
  const sent = readResource('Group', body)
  return runAsDirectory(deps, actor, 'Group', async (change) => {
    const { tx } = change
    const group = await lockGroup(tx, actor.teamId, id)
    const row = await scimGroupRepository(tx, actor.teamId).get(group.id)
    await applyGroup(change, group, row, sent)
    await writeMembers(change, group, { replace: memberIds(sent) })
    return showGroup(tx, deps, actor, group.id)
  })
}

/**
 * Applies PATCH operations (RFC 7644 section 3.5.2) without reading the members.
 * @param requested selects what to return
 * @returns the group after the change; undefined without `requested`
 * @throws group_not_found, {ScimError} of the operations, and as `createGroup`
 */
export async function patchGroup(
  deps: ScimDeps,
  actor: ScimActor,
  id: string,
  body: unknown,
  requested?: Projection,
): Promise<ScimObject | undefined> {
  await runAsDirectory(deps, actor, 'Group', async (change) => {
    const group = await lockGroup(change.tx, actor.teamId, id)
    const row = await scimGroupRepository(change.tx, actor.teamId).get(group.id)
    const { group: patched, members } = applyGroupPatch(groupResource(row, serviceUrlOf(deps, actor)), body)
    await applyGroup(change, group, row, patched)
    if (members) await writeMembers(change, group, members)
  })
  if (!requested) return undefined
  return deps.db.transaction(async (tx) => {
    const group = await lockGroup(tx, actor.teamId, id)
    return showGroup(tx, deps, actor, group.id, requested)
  })
}

/** Deletes the group. @throws group_not_found */
export const deleteGroup = (deps: ScimDeps, actor: ScimActor, id: string): Promise<void> =>
  runAsDirectory(deps, actor, 'Group', ({ tx, directory }) => removeGroup(tx, deps, directory, id))

/** Applies the names of `requested` to a locked group and marks it as written by a SCIM client. Runs in the caller's transaction. */
async function applyGroup(
  { tx, deps, directory }: DirectoryChange,
  group: Group,
  row: GroupRow,
  requested: ScimObject,
): Promise<void> {
  const { name, externalId } = namesOf(requested)
  await changeGroup(tx, deps, directory, group, { name })
  const hasSameId = row.externalId === externalId
  if (!hasSameId || !row.isWritten)
    await scimGroupRepository(tx, directory.teamId).storeExternalId(group.id, externalId)
  if (hasSameId) return
  await deps.audit.record(tx, directory, 'group.updated', {
    resource: `group:${group.id}`,
    metadata: { changed: ['externalId'], name },
  })
}

/** @throws {ScimError} invalidValue */
function namesOf(group: ScimObject): { name: string; externalId: string | null } {
  const name = stringAt('Group', group, 'displayName') ?? ''
  if (!isDisplayName(name))
    throw invalidRequest('invalidValue', '“displayName” must be a single line of at most 100 characters.')
  const externalId = stringAt('Group', group, 'externalId') ?? null
  const wrong = externalId === null ? undefined : profileViolation('externalId', externalId)
  if (wrong) throw invalidRequest('invalidValue', `“externalId” ${wrong}.`)
  return { name, externalId }
}

/** @throws {ScimError} invalidValue for a member that is a group, because groups cannot be nested */
function memberIds({ members }: ScimObject): string[] {
  const list = Array.isArray(members) ? (members as readonly ScimObject[]) : []
  return list.map((member) => {
    if (String(member.type ?? '').toLowerCase() === 'group')
      throw invalidRequest('invalidValue', 'Members must be users; groups cannot be nested.')
    return String(member.value ?? '')
  })
}

/**
 * Changes the members of a locked group. Runs in the caller's transaction. @throws {ScimError} invalidValue for a member who is not a
 * user of the team
 */
const writeMembers = ({ tx, deps, directory }: DirectoryChange, group: Group, change: MemberChange): Promise<void> =>
  changeMembers(tx, deps, directory, group, change).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'user_not_found')
      throw invalidRequest(
        'invalidValue',
        'A member is not a user of the team. Members must be users; groups cannot be nested.',
      )
    throw error
  })
