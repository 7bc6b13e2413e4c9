import type { Actor } from '../../platform/http/actor.js'
import type { ImportDeps } from './import-deps.js'
import { importError } from './import-errors.js'
import { type ImportRun, importRepository } from './import-repository.js'
import { startNext } from './start-next.js'

/** Cancels a queued import, or a running one after the batch that is being worked on; what is done stays. @throws import_not_found, import_finished */
export function cancelImport({ db, clock, audit, jobs }: ImportDeps, actor: Actor, id: string): Promise<ImportRun> {
  return db.transaction(async (tx) => {
    const repository = importRepository(tx, actor.teamId)
    const run = await repository.lock(id)
    if (!run) throw importError('import_not_found')
    if (run.status !== 'queued' && run.status !== 'running') throw importError('import_finished')
    const ended = await repository.finish(run.id, 'cancelled', clock.now())
    const { status, dryRun, total, processed, created, updated, unchanged, failures } = ended
    await audit.record(tx, actor, 'users.imported', {
      resource: `import:${run.id}`,
      metadata: { status, dryRun, total, processed, created, updated, unchanged, failed: failures.length },
    })
    if (run.status === 'running') await startNext(tx, jobs, actor.teamId)
    return ended
  })
}
