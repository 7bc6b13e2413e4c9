import type { Transaction } from '../../../platform/db/database.js'
import type { ImportRunId, TeamId } from '../../../platform/ids.js'
import type { Jobs } from '../../../platform/jobs/jobs.js'
import { importRepository } from './repository.js'

export const RUN_IMPORT = 'users.import'

/**
 * Starts the oldest queued import of the team unless one is running: only one at a time locks accounts. Code that ends a running import
 * calls it, or leaves it to the import's job. Runs in the caller's transaction, which concurrent starts and ends for the team wait for.
 * @returns the import that was started, if any
 */
export async function startNext(
  tx: Transaction,
  jobs: Pick<Jobs, 'enqueue'>,
  teamId: TeamId,
): Promise<ImportRunId | undefined> {
  const started = await importRepository(tx, teamId).startOldest()
  if (started) await jobs.enqueue(tx, RUN_IMPORT, { runId: started }, teamId)
  return started
}
