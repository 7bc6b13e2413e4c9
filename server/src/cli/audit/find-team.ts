import type { Deps } from '../../deps.js'
import { findOrganization, type Organization, teamNamed } from '../../features/teams/index.js'

/** Returns a team by its ID or slug. @throws organization_not_found */
export async function findTeam({ db }: Pick<Deps, 'db'>, name: string): Promise<Organization> {
  const id = await teamNamed(db, name)
  return db.transaction((tx) => findOrganization(tx, id))
}
