import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import { readSnapshot } from '../../../platform/db/read-one-state.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import { type ListQuery, leafOf, listResponse, type ResourceKind } from '../../../protocols/scim/index.js'
import { groupColumns } from '../groups/group-columns.js'
import { matchingGroups } from '../groups/group-repository.js'
import { readGroupsById } from '../groups/read-groups.js'
import { sortKey } from '../model/compile-filter.js'
import { type ListDeps, serviceUrlOf } from '../model/deps.js'
import { requirePermissions } from '../model/run-as-directory.js'
import { readUsersById } from '../users/read-users.js'
import { userColumns } from '../users/user-columns.js'
import { matchingUsers } from '../users/user-repository.js'

/** A query for each resource type, with the same page and direction. */
type Queries = Readonly<Record<ResourceKind, ListQuery>>

/**
 * Returns one page of the team's users and groups in a common order (RFC 7644 section 3.4.3), shorter than requested if their attributes
 * are very large or they have very many members.
 * @throws forbidden, rate_limited
 */
export function searchAll(deps: ListDeps, actor: ScimActor, queries: Queries) {
  for (const kind of ['User', 'Group'] as const) requirePermissions(actor.permissions, 'read', kind)
  const { teamId } = actor
  const base = serviceUrlOf(deps, actor)
  const read = () =>
    readSnapshot(deps.db, async (tx) => {
      const { total, page } = await listOfAll(tx, teamId, base, queries)
      const idsOf = (kind: ResourceKind) => page.filter((one) => one.kind === kind).map(({ id }) => id)
      const shown = new Map([
        ...(await readUsersById(tx, { teamId, base }, idsOf('User'), queries.User.projection)),
        ...(await readGroupsById(tx, { teamId, base }, idsOf('Group'), queries.Group.projection)),
      ])
      // The page ends before the first resource that is too large, so that the next page begins with it.
      const end = page.findIndex(({ id }) => !shown.has(id))
      const resources = page.slice(0, end < 0 ? page.length : end).map(({ id }) => shown.get(id))
      return listResponse({ resources, totalResults: total, startIndex: queries.User.startIndex })
    })
  return deps.searches.run(actor, { filter: undefined }, userColumns(base), read)
}

/** Returns the IDs of one page in the requested order, or in the order of creation, and the total. Runs in the caller's transaction. */
async function listOfAll(tx: Transaction, teamId: TeamId, base: string, queries: Queries) {
  const columns = { User: userColumns(base), Group: groupColumns(base) }
  const { count, startIndex, descending } = queries.User
  const targets = Object.values(queries).flatMap(({ sortBy }) => (sortBy && !sortBy.isAbsent ? [sortBy] : []))
  // Strings are in one order only if the case counts for all types or for none.
  const caseExact = targets.every((target) => leafOf(target).caseExact)
  const keyOf = (kind: ResourceKind): SQL => {
    const { sortBy } = queries[kind]
    return sortBy ? sortKey(sortBy, columns[kind], caseExact) : sql`NULL::text`
  }
  const all = sql`(${matchingUsers(teamId, queries.User, columns.User, keyOf('User'))}
    UNION ALL ${matchingGroups(teamId, queries.Group, columns.Group, keyOf('Group'))}) AS r`
  const counted = await tx.execute<{ total: number }>(sql`SELECT count(*)::int AS total FROM ${all}`)
  const { rows } = await tx.execute<{ kind: ResourceKind; id: string }>(
    sql`SELECT r.kind, r.id FROM ${all} ORDER BY r.key ${descending ? sql`DESC` : sql`ASC`}, r."createdAt", r.id
      LIMIT ${count} OFFSET ${startIndex - 1}`,
  )
  return { total: counted.rows[0]?.total ?? 0, page: rows }
}
