import type { Database } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { findOrganization, type Organization } from '../organizations/index.js'
import { teamsOf } from './repository.js'

interface QueryDeps {
  db: Database
}

/** The caller's teams with the role in each; of a session that one team controls, that team alone. */
export async function listTeams({ db }: QueryDeps, actor: Actor): Promise<{ team: Organization; role: string }[]> {
  const teams = await db.transaction((tx) => teamsOf(tx, actor.userId))
  return actor.confinedTo ? teams.filter(({ team }) => team.id === actor.confinedTo) : teams
}

/** The team of the request. @throws organization_not_found */
export const readTeam = ({ db }: QueryDeps, actor: Actor): Promise<Organization> =>
  db.transaction((tx) => findOrganization(tx, actor.teamId))
