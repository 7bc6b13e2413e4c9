import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import type { DelegatedBy } from '../../sessions/index.js'
import type { ImportDeps } from './deps.js'
import { importError } from './errors.js'
import { type ImportRun, importRepository, lockOpenOf } from './repository.js'
import { recordEnd, starterSubject } from './run-import.js'
import { startNext } from './start-next.js'

/** Cancels a queued import, or a running one after its current batch. Rows that are done stay. @throws import_not_found, import_finished */
export function cancelImport({ db, clock, audit, jobs }: ImportDeps, actor: Actor, id: string): Promise<ImportRun> {
  return db.transaction(async (tx) => {
    const repository = importRepository(tx, actor.teamId)
    const run = await repository.lock(id)
    if (!run) throw importError('import_not_found')
    if (run.status !== 'queued' && run.status !== 'running') throw importError('import_finished')
    const ended = await repository.finish(run.id, 'cancelled', clock.now())
    await recordEnd(tx, audit, actor, ended)
    if (run.status === 'running') await startNext(tx, jobs, actor.teamId)
    return ended
  })
}

/**
 * Cancels every queued or running import that the user started; the current batch completes. The job of a running import starts the team's
 * next one. Runs in the caller's transaction.
 * @param which restricts it to one team, or to sessions that a temporary password started
 * @returns the team of each
 */
export async function cancelImportsStartedBy(
  tx: Transaction,
  deps: Pick<ImportDeps, 'clock' | 'audit'>,
  userId: UserId,
  which?: DelegatedBy,
): Promise<TeamId[]> {
  const runs = await lockOpenOf(tx, userId, which)
  for (const run of runs) {
    const ended = await importRepository(tx, run.organizationId).finish(run.id, 'cancelled', deps.clock.now())
    await recordEnd(tx, deps.audit, starterSubject(run), ended)
  }
  return runs.map(({ organizationId }) => organizationId)
}
