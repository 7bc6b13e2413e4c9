import type { Database } from '../../platform/db/database.js'
import { readOneState } from '../../platform/db/read-one-state.js'
import type { ScimActor } from '../../platform/http/actor.js'
import { parseId, type UserId } from '../../platform/ids.js'
import { type ListQuery, listResponse, type Projection, type ScimObject } from '../../protocols/scim/index.js'
import { memberRefusal } from '../members/index.js'
import { isAnsweredByIndex } from './answered-by-index.js'
import { baseOf } from './base-of.js'
import type { ListDeps, ScimDeps } from './deps.js'
import { requireRights } from './require-rights.js'
import { userColumns } from './user-columns.js'
import { userRepository } from './user-repository.js'
import { userResource } from './user-resource.js'
import { showUser } from './write-user.js'

type QueryDeps = Pick<ScimDeps, 'config'> & { db: Database }

/** @throws forbidden, user_not_found for an unknown id, for that of a user who is not in the team, and for a text that is none alike */
export function readUser(deps: QueryDeps, actor: ScimActor, id: string, projection: Projection): Promise<ScimObject> {
  requireRights(actor.permissions, 'read', 'User')
  return readOneState(deps.db, async (tx) => {
    const known = parseId<UserId>(id)
    const row = known && (await userRepository(tx, actor.teamId).find(known))
    if (!row) throw memberRefusal('user_not_found')
    return showUser(tx, actor, baseOf(deps, actor), row, projection)
  })
}

/** One page of the team's members; shorter than it was asked for where very much is kept of them. @throws forbidden, rate_limited */
export function listUsers(deps: ListDeps, actor: ScimActor, query: ListQuery) {
  requireRights(actor.permissions, 'read', 'User')
  const base = baseOf(deps, actor)
  const columns = userColumns(base)
  const read = () =>
    readOneState(deps.db, async (tx) => {
      const repository = userRepository(tx, actor.teamId)
      const { rows, total } = await repository.list(query, columns)
      const groups = query.projection.wants('groups')
        ? await repository.groupsOf(rows.map(({ userId }) => userId))
        : undefined
      const resources = rows.map((row) => query.projection.of(userResource(row, base, groups?.get(row.userId))))
      return listResponse({ resources, totalResults: total, startIndex: query.startIndex })
    })
  return query.filter && isAnsweredByIndex(query.filter, columns) ? read() : deps.searches.take(actor.teamId, read)
}
