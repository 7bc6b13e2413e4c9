import { MINUTE } from '../../platform/clock.js'
import type { Actor } from '../../platform/http/actor.js'
import { lockForDeletion, requireRecentAuthentication } from '../sessions/index.js'
import { readSettings } from '../settings/index.js'
import { deleteOrganization, lockOrganization, teamError } from '../teams/index.js'
import type { UserDeps } from './deps.js'

/** For one statement: a large team has hundreds of thousands of rows, which are deleted atomically. */
const STATEMENT_TIMEOUT = 10 * MINUTE

/**
 * Deletes the team of the request with everything in it, in one transaction. Members keep their accounts; of the audit log the seal
 * remains. The audit entry is in the instance's log.
 * @throws reauthentication_required, instance_team, organization_not_found if the team was deleted concurrently
 */
export async function deleteTeam({ db, clock, audit }: UserDeps, actor: Actor): Promise<void> {
  requireRecentAuthentication(clock, actor)
  await db.transaction(
    async (tx) => {
      const { instanceTeamId } = await readSettings(tx)
      if (instanceTeamId === actor.teamId) throw teamError('instance_team')
      const team = await lockOrganization(tx, actor.teamId)
      await lockForDeletion(tx, team.id)
      await deleteOrganization(tx, clock, team.id)
      await audit.record(tx, { ...actor, teamId: null }, 'organization.deleted', {
        resource: `organization:${team.id}`,
        metadata: { name: team.name, slug: team.slug },
      })
    },
    { patienceMs: STATEMENT_TIMEOUT },
  )
}
