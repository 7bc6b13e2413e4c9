import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { DelegatedBy } from '../sessions/index.js'
import type { ImportDeps } from './import-deps.js'
import { importRepository, lockOpenOf } from './import-repository.js'
import { recordEnd } from './run-import.js'

/**
 * Ends every import that the user started, queued ones too, after the batch that is being worked on. The job of a running one starts the
 * team's next. Runs in the caller's transaction.
 * @param which only those in a team, or those that were started in sessions that a temporary password started
 * @returns the team of each
 */
export async function cancelImportsOf(
  tx: Transaction,
  deps: Pick<ImportDeps, 'clock' | 'audit'>,
  userId: UserId,
  which?: DelegatedBy,
): Promise<TeamId[]> {
  const runs = await lockOpenOf(tx, userId, which)
  for (const run of runs) {
    const ended = await importRepository(tx, run.organizationId).finish(run.id, 'cancelled', deps.clock.now())
    await recordEnd(tx, deps, run, ended)
  }
  return runs.map(({ organizationId }) => organizationId)
}
