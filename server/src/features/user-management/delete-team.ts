import { type Clock, MINUTE } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { Audit } from '../audit/index.js'
import { requireRecentAuthentication } from '../sessions/index.js'
import { readSettings } from '../settings/index.js'
import { deleteOrganization, lockOrganization, teamError } from '../teams/index.js'

export interface DeleteTeamDeps {
  db: Database
  clock: Clock
  audit: Audit
}

/** How long one statement may take: a large team has hundreds of thousands of rows, and they go together or not at all. */
const PATIENCE = 10 * MINUTE

/**
 * Deletes the team of the request with everything in it, in one transaction. Its members keep their accounts; of its audit entries
 * the seal remains. Who did it is told in the instance's chain.
 * @throws reauthentication_required, instance_team, organization_not_found when somebody else deleted it a moment ago
 */
export async function deleteTeam({ db, clock, audit }: DeleteTeamDeps, actor: Actor): Promise<void> {
  requireRecentAuthentication(clock, actor)
  await db.transaction(
    async (tx) => {
      const { instanceTeamId } = await readSettings(tx)
      if (instanceTeamId === actor.teamId) throw teamError('instance_team')
      const team = await lockOrganization(tx, actor.teamId)
      await deleteOrganization(tx, clock, team.id)
      await audit.record(tx, { ...actor, teamId: null }, 'organization.deleted', {
        resource: `organization:${team.id}`,
        metadata: { name: team.name, slug: team.slug },
      })
    },
    { patienceMs: PATIENCE },
  )
}
