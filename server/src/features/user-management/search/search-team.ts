import { sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { type ApplicationId, type GroupId, parseId, type TeamId } from '../../../platform/ids.js'
import { applications } from '../../applications/index.js'
import { groups } from '../../groups/index.js'
import { memberOfEitherId } from '../../members/index.js'
import type { UserDeps } from '../deps.js'
import { type TeamUser, userRepository } from '../repository.js'

/** Results of each kind. */
const MAX_RESULTS = 5

interface FoundGroup {
  id: GroupId
  name: string
}

interface FoundApplication extends Record<string, unknown> {
  id: ApplicationId
  name: string
  type: string
  clientId: string
}

/** The results of each kind that the caller may read. */
export interface Found {
  users?: TeamUser[]
  groups?: FoundGroup[]
  applications?: FoundApplication[]
}

/**
 * Finds users, groups and applications of the team by a part of their name, email address or client ID, or by their ID or membership ID.
 * Names that begin with the query are first.
 */
export const searchTeam = ({ db }: UserDeps, { teamId, permissions }: Actor, q: string): Promise<Found> =>
  db.transaction(async (tx) => {
    const query = q.trim()
    return {
      ...(permissions.has('users:read') && { users: await findUsers(tx, teamId, query) }),
      ...(permissions.has('groups:read') && { groups: await findGroups(tx, teamId, query) }),
      ...(permissions.has('applications:read') && { applications: await findApplications(tx, teamId, query) }),
    }
  })

async function findUsers(tx: Transaction, teamId: TeamId, query: string): Promise<TeamUser[]> {
  if (query === '') return []
  const repository = userRepository(tx, teamId)
  const known = parseId<string>(query)
  const byId = known && (await memberOfEitherId(tx, teamId, known))
  if (byId) return [await repository.get(byId)]
  return (await repository.page({ search: query }, 'name', 1, MAX_RESULTS)).users
}

/** SQL: whether the folded name contains the query, and the order of the matches. */
const nameContains = (query: string) => sql`strpos(search_fold(name), search_fold(${query})) > 0`
const byName = (query: string) => sql`strpos(search_fold(name), search_fold(${query})) <> 1, search_fold(name), id`

// A team has some thousand groups at most: scanning the names is cheaper than maintaining an index.
async function findGroups(tx: Transaction, teamId: TeamId, query: string): Promise<FoundGroup[]> {
  if (query === '') return []
  const { rows } = await tx.execute<FoundGroup & Record<string, unknown>>(
    sql`SELECT id, name FROM ${groups} WHERE organization_id = ${teamId}
      AND (id = ${parseId<GroupId>(query) ?? null}::uuid OR ${nameContains(query)}) ORDER BY ${byName(query)} LIMIT ${MAX_RESULTS}`,
  )
  return rows
}

async function findApplications(tx: Transaction, teamId: TeamId, query: string): Promise<FoundApplication[]> {
  if (query === '') return []
  const { rows } = await tx.execute<FoundApplication>(
    sql`SELECT id, name, type, client_id AS "clientId" FROM ${applications} WHERE organization_id = ${teamId}
      AND (id = ${parseId<ApplicationId>(query) ?? null}::uuid OR strpos(lower(client_id), lower(${query})) > 0 OR ${nameContains(query)})
      ORDER BY ${byName(query)} LIMIT ${MAX_RESULTS}`,
  )
  return rows
}
