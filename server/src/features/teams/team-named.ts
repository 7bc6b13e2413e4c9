import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { NO_TEAM, parseId, type TeamId } from '../../platform/ids.js'

const idOfSlug = namedQuery<{ id: TeamId }, [string]>(
  'organizations.id_of_slug',
  'SELECT id FROM organizations WHERE slug = $1',
)

/** Returns the ID of the team that a user names by its ID or its slug; `NO_TEAM` if there is none with this slug. */
export async function teamNamed(runner: Runner, name: string): Promise<TeamId> {
  const id = parseId<TeamId>(name)
  return id ?? (await runner.run(idOfSlug, [name.trim().toLowerCase()]))[0]?.id ?? NO_TEAM
}
