import type { ScimActor } from '../../../platform/http/actor.js'
import { parseId, type UserId } from '../../../platform/ids.js'
import { type ListQuery, listResponse, type Projection, type ScimObject } from '../../../protocols/scim/index.js'
import { memberError } from '../../members/index.js'
import { findsAtMostOne } from '../model/compile-filter.js'
import type { ListDeps, ScimDeps } from '../model/deps.js'
import { requirePermissions } from '../model/require-permissions.js'
import { serviceUrlOf } from '../model/service-url.js'
import { userColumns } from './user-columns.js'
import { readUsers } from './user-repository.js'
import { userResource } from './user-resource.js'

/** @throws forbidden; user_not_found if the ID is malformed, unknown, or belongs to a user who is not in the team */
export async function readUser(
  deps: Pick<ScimDeps, 'config' | 'db'>,
  actor: ScimActor,
  id: string,
  projection: Projection,
): Promise<ScimObject> {
  requirePermissions(actor.permissions, 'read', 'User')
  const known = parseId<UserId>(id)
  const row = known && (await readUsers(deps.db, actor.teamId).find(known))
  if (!row) throw memberError('user_not_found')
  return projection.of(userResource(row, serviceUrlOf(deps, actor)))
}

/** Returns one page of the team's members, shorter than requested if their attributes are very large. @throws forbidden, rate_limited */
export async function listUsers(deps: ListDeps, actor: ScimActor, query: ListQuery) {
  requirePermissions(actor.permissions, 'read', 'User')
  const base = serviceUrlOf(deps, actor)
  const columns = userColumns(base)
  const read = () => readUsers(deps.db, actor.teamId).list(query, columns)
  const isQuick = query.filter && findsAtMostOne(query.filter, columns)
  const { rows, total } = isQuick ? await read() : await deps.searches.take(actor.limitKey, read)
  const resources = rows.map((row) => query.projection.of(userResource(row, base)))
  return listResponse({ resources, totalResults: total, startIndex: query.startIndex })
}
