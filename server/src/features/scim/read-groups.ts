import type { Transaction } from '../../platform/db/database.js'
import { readOneState } from '../../platform/db/read-one-state.js'
import type { ScimActor } from '../../platform/http/actor.js'
import { type GroupId, parseId } from '../../platform/ids.js'
import {
  type ListQuery,
  listResponse,
  type Projection,
  readProjection,
  type ScimObject,
} from '../../protocols/scim/index.js'
import { groupError } from '../groups/index.js'
import { baseOf } from './base-of.js'
import type { ListDeps, ScimDeps } from './deps.js'
import { findsAtMostOne } from './finds-at-most-one.js'
import { groupColumns } from './group-columns.js'
import { type GroupRow, scimGroupRepository } from './group-repository.js'
import { groupResource } from './group-resource.js'
import { requireRights } from './require-rights.js'

type QueryDeps = Pick<ScimDeps, 'config' | 'db'>

/** A step: a group as an answer shows it: with all of its members, unless those are not asked for. @throws group_not_found */
export async function showGroup(
  tx: Transaction,
  deps: Pick<ScimDeps, 'config'>,
  actor: ScimActor,
  id: GroupId | undefined,
  projection: Projection = readProjection('Group'),
): Promise<ScimObject> {
  const repository = scimGroupRepository(tx, actor.teamId)
  const row = id && (await repository.find(id))
  if (!row) throw groupError('group_not_found')
  const members = projection.wants('members') ? (await repository.membersOf([row.id])).get(row.id) : undefined
  return projection.of(groupResource(row, baseOf(deps, actor), members))
}

/** @throws forbidden, group_not_found for an unknown id, for one of another team, and for a text that is none alike */
export function readGroup(deps: QueryDeps, actor: ScimActor, id: string, projection: Projection): Promise<ScimObject> {
  requireRights(actor.permissions, 'read', 'Group')
  return readOneState(deps.db, (tx) => showGroup(tx, deps, actor, parseId<GroupId>(id), projection))
}

/** As many members as one page shows of all its groups together, unless its first group has more. */
const MOST_MEMBERS = 20_000

/** One page of the team's groups; shorter than it was asked for where the groups have very many members. @throws forbidden, rate_limited */
export function listGroups(deps: ListDeps, actor: ScimActor, query: ListQuery) {
  requireRights(actor.permissions, 'read', 'Group')
  const base = baseOf(deps, actor)
  const { projection, startIndex } = query
  const withMembers = projection.wants('members')
  const columns = groupColumns(base)
  const read = () =>
    readOneState(deps.db, async (tx) => {
      const repository = scimGroupRepository(tx, actor.teamId)
      const { rows, total } = await repository.list(query, columns, withMembers)
      const shown = withinReason(rows)
      const members = withMembers ? await repository.membersOf(shown.map(({ id }) => id)) : undefined
      const resources = shown.map((row) => projection.of(groupResource(row, base, members?.get(row.id))))
      return listResponse({ resources, totalResults: total, startIndex })
    })
  return query.filter && findsAtMostOne(query.filter, columns) ? read() : deps.searches.take(actor, read)
}

function withinReason(rows: GroupRow[]): GroupRow[] {
  let members = 0
  const end = rows.findIndex(({ memberCount }, index) => {
    members += memberCount
    return index > 0 && members > MOST_MEMBERS
  })
  return end < 0 ? rows : rows.slice(0, end)
}
