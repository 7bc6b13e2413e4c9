import type { Transaction } from '../../../platform/db/database.js'
import { readSnapshot } from '../../../platform/db/read-one-state.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import {
  GROUP,
  type ListQuery,
  listResponse,
  type Projection,
  readProjection,
  type ScimObject,
} from '../../../protocols/scim/index.js'
import { type ListDeps, type ScimDeps, serviceUrlOf } from '../model/deps.js'
import { requirePermissions } from '../model/run-as-directory.js'
import { groupColumns } from './group-columns.js'
import { type GroupRow, type ShownMember, scimGroupRepository } from './group-repository.js'

/**
 * Returns the SCIM resource of a group.
 * @param base the URL of the team's SCIM service
 * @param members undefined if they are not requested
 */
export const groupResource = (
  { id, name, externalId, createdAt, updatedAt }: GroupRow,
  base: string,
  members: readonly ShownMember[] = [],
): ScimObject => ({
  schemas: [GROUP],
  id,
  ...(externalId !== null && { externalId }),
  displayName: name,
  ...(members.length > 0 && {
    members: members.map((member) => ({
      value: member.id,
      $ref: `${base}/Users/${member.id}`,
      display: member.email,
      type: 'User',
    })),
  }),
  meta: {
    resourceType: 'Group',
    created: createdAt.toISOString(),
    lastModified: updatedAt.toISOString(),
    location: `${base}/Groups/${id}`,
  },
})

/**
 * Returns the resource of a group, with all of its members if they are requested. Runs in the caller's transaction. @throws
 * group_not_found
 */
export async function showGroup(
  tx: Transaction,
  deps: ScimDeps,
  actor: ScimActor,
  id: string,
  projection: Projection = readProjection('Group'),
): Promise<ScimObject> {
  const repository = scimGroupRepository(tx, actor.teamId)
  const row = await repository.get(id)
  const members = projection.wants('members') ? (await repository.membersOf([row.id])).get(row.id) : undefined
  return projection.of(groupResource(row, serviceUrlOf(deps, actor), members))
}

/** @throws forbidden; group_not_found if the ID is malformed, unknown, or belongs to another team */
export function readGroup(deps: ScimDeps, actor: ScimActor, id: string, projection: Projection): Promise<ScimObject> {
  requirePermissions(actor.permissions, 'read', 'Group')
  return readSnapshot(deps.db, (tx) => showGroup(tx, deps, actor, id, projection))
}

/** The maximum number of members of all groups of one page, unless its first group has more. */
const MAX_MEMBERS_OF_PAGE = 20_000

/** Returns one page of the team's groups, shorter than requested if they have very many members. @throws forbidden, rate_limited */
export function listGroups(deps: ListDeps, actor: ScimActor, query: ListQuery) {
  requirePermissions(actor.permissions, 'read', 'Group')
  const base = serviceUrlOf(deps, actor)
  const { projection, startIndex } = query
  const columns = groupColumns(base)
  const read = () =>
    readSnapshot(deps.db, async (tx) => {
      const repository = scimGroupRepository(tx, actor.teamId)
      const { rows, total } = await repository.list(query, columns, projection.wants('members'))
      const shown = await withMembers(repository, limitMembers(rows), projection)
      const resources = shown.map(({ row, members }) => projection.of(groupResource(row, base, members)))
      return listResponse({ resources, totalResults: total, startIndex })
    })
  return deps.searches.run(actor, query, columns, read)
}

/**
 * Returns these groups of the team by their IDs. The last ones are missing if the groups have very many members. Runs in the caller's
 * transaction.
 */
export async function readGroupsById(
  tx: Transaction,
  { teamId, base }: { teamId: TeamId; base: string },
  ids: readonly string[],
  projection: Projection,
): Promise<[id: string, resource: ScimObject][]> {
  const repository = scimGroupRepository(tx, teamId)
  const rows = await repository.withIds(ids, projection.wants('members'))
  const shown = await withMembers(repository, limitMembers(rows), projection)
  return shown.map(({ row, members }) => [row.id, projection.of(groupResource(row, base, members))])
}

/** Reads the members of the groups if they are requested. */
async function withMembers(
  repository: ReturnType<typeof scimGroupRepository>,
  rows: GroupRow[],
  projection: Projection,
): Promise<{ row: GroupRow; members: ShownMember[] | undefined }[]> {
  const members = projection.wants('members') ? await repository.membersOf(rows.map(({ id }) => id)) : undefined
  return rows.map((row) => ({ row, members: members?.get(row.id) }))
}

function limitMembers(rows: GroupRow[]): GroupRow[] {
  let members = 0
  const end = rows.findIndex(({ memberCount }, index) => {
    members += memberCount
    return index > 0 && members > MAX_MEMBERS_OF_PAGE
  })
  return end < 0 ? rows : rows.slice(0, end)
}
