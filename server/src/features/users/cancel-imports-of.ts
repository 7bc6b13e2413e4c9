import type { Transaction } from '../../platform/db/database.js'
import type { UserId } from '../../platform/ids.js'
import type { ImportDeps } from './import-deps.js'
import { importRepository, lockRunningOf } from './import-repository.js'
import { recordEnd } from './run-import.js'

/** A step: ends every import that the user started, after the batch that is being worked on; answers how many. */
export async function cancelImportsOf(
  tx: Transaction,
  deps: Pick<ImportDeps, 'clock' | 'audit'>,
  userId: UserId,
): Promise<number> {
  const runs = await lockRunningOf(tx, userId)
  for (const run of runs) {
    const ended = await importRepository(tx, run.organizationId).finish(run.id, 'cancelled', deps.clock.now())
    await recordEnd(tx, deps, run, ended)
  }
  return runs.length
}
