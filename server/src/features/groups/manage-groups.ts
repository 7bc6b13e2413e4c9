import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import { isUniqueViolation } from '../../platform/db/database-errors.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { GroupId } from '../../platform/ids.js'
import type { Audit, TeamSubject } from '../audit/index.js'
import { keepOrganization } from '../teams/index.js'
import { rejection } from './errors.js'
import { type CountedGroup, findGroup, type Group, groupRepository, lockGroup } from './repository.js'

export interface GroupDeps {
  db: Database
  clock: Clock
  audit: Audit
}

/** Returns one page of the team's groups, newest first; with `search`, only those whose name contains it. */
export const listGroups = (
  { db }: GroupDeps,
  actor: Actor,
  { search, ...page }: { search: string | undefined; page: number; limit: number },
): Promise<{ groups: CountedGroup[]; total: number }> =>
  db.transaction(async (tx) => {
    const repository = groupRepository(tx, actor.teamId)
    const term = search?.trim() || undefined
    return { groups: await repository.page(term, page), total: await repository.total(term) }
  })

/** @throws group_not_found */
export const readGroup = ({ db }: GroupDeps, actor: Actor, id: string): Promise<CountedGroup> =>
  db.transaction((tx) => findGroup(tx, actor.teamId, id))

export interface NewGroup {
  name: string
  description?: string | null | undefined
}

/** Creates an empty group. @throws group_name_taken */
export const createGroup = (deps: GroupDeps, actor: Actor, group: NewGroup): Promise<CountedGroup> =>
  deps.db.transaction(async (tx) => ({ ...(await addGroup(tx, deps, actor, group)), memberCount: 0 }))

/**
 * Creates an empty group. Runs in the caller's transaction.
 * @param about additional metadata of the audit entry
 * @throws group_name_taken
 */
export async function addGroup(
  tx: Transaction,
  { clock, audit }: Pick<GroupDeps, 'clock' | 'audit'>,
  writer: TeamSubject,
  { name, description = null }: NewGroup,
  about: Record<string, unknown> = {},
): Promise<Group> {
  // The team may have been deleted since the request was authenticated.
  if (!(await keepOrganization(tx, writer.teamId))) throw platformError('invalid_access_token')
  const now = clock.now()
  const id = uuidv7<GroupId>(clock)
  const values = { id, name: name.trim(), description, createdAt: now, updatedAt: now }
  const group = await groupRepository(tx, writer.teamId).insert(values)
  if (!group) throw rejection('group_name_taken')
  await audit.record(tx, writer, 'group.created', { resource: `group:${id}`, metadata: { name: group.name, ...about } })
  return group
}

/**
 * Updates the given fields; null clears the description. An update that changes nothing is not recorded.
 * @throws group_not_found, group_name_taken
 */
export const updateGroup = (
  deps: GroupDeps,
  actor: Actor,
  id: string,
  wanted: Partial<NewGroup>,
): Promise<CountedGroup> =>
  deps.db.transaction(async (tx) => {
    const group = await lockGroup(tx, actor.teamId, id)
    await changeGroup(tx, deps, actor, group, wanted)
    return findGroup(tx, actor.teamId, group.id)
  })

/**
 * Updates a locked group. Runs in the caller's transaction.
 * @param about additional metadata of the audit entry
 * @throws group_name_taken
 */
export async function changeGroup(
  tx: Transaction,
  { clock, audit }: Pick<GroupDeps, 'clock' | 'audit'>,
  writer: TeamSubject,
  before: Group,
  { name = before.name, description = before.description }: Partial<NewGroup>,
  about: Record<string, unknown> = {},
): Promise<void> {
  const change = { name: name.trim(), description, updatedAt: clock.now() }
  const changed = (['description', 'name'] as const).filter((field) => change[field] !== before[field])
  if (changed.length === 0) return
  await groupRepository(tx, writer.teamId)
    .update(before.id, change)
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'groups_organization_name') ? rejection('group_name_taken') : error
    })
  await audit.record(tx, writer, 'group.updated', {
    resource: `group:${before.id}`,
    metadata: { changed, name: change.name, ...about },
  })
}

/**
 * Deletes the group with its memberships and assignments. An application that was assigned to no one else stays closed to all.
 * @throws group_not_found
 */
export const deleteGroup = (deps: GroupDeps, actor: Actor, id: string): Promise<void> =>
  deps.db.transaction((tx) => removeGroup(tx, deps, actor, id))

/** Deletes the group. Runs in the caller's transaction. @throws group_not_found */
export async function removeGroup(
  tx: Transaction,
  { audit }: Pick<GroupDeps, 'audit'>,
  writer: TeamSubject,
  id: string,
): Promise<void> {
  const group = await findGroup(tx, writer.teamId, id)
  // The second of two concurrent deletions deletes nothing, although both found the group.
  if (!(await groupRepository(tx, writer.teamId).delete(group.id))) throw rejection('group_not_found')
  await audit.record(tx, writer, 'group.deleted', {
    resource: `group:${group.id}`,
    metadata: { name: group.name, members: group.memberCount },
  })
}
