import type { Actor } from '../../../platform/http/actor.js'
import type { DirectoryDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { type DirectoryRun, runRepository, updateRun } from '../model/run-repository.js'
import { recordRun } from './run-sync.js'

/** Cancels a run after its current batch; applied changes remain. @throws directory_run_not_found, directory_run_finished */
export const cancelRun = (
  { db, clock, audit }: Pick<DirectoryDeps, 'db' | 'clock' | 'audit'>,
  actor: Actor,
  id: string,
): Promise<DirectoryRun> =>
  db.transaction(async (tx) => {
    const run = await runRepository(tx, actor.teamId).lock(id)
    if (!run) throw rejection('directory_run_not_found')
    if (run.status !== 'running') throw rejection('directory_run_finished')
    const ended = { status: 'cancelled', phase: 'done', leasedUntil: null, finishedAt: clock.now() } as const
    await updateRun(tx, run.id, ended)
    await recordRun(tx, { audit }, { ...run, startedBy: actor.userId, origin: actor.origin }, 'cancelled')
    return { ...run, ...ended }
  })
