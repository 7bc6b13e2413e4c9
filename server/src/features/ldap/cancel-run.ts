import type { Actor } from '../../platform/http/actor.js'
import type { DirectoryDeps } from './deps.js'
import { rejection } from './errors.js'
import { type DirectoryRun, noteRun, runRepository } from './run-repository.js'
import { recordRun } from './run-sync.js'

/** Ends a run after the batch that is being worked on; what is done stays. @throws directory_run_not_found, directory_run_finished */
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
    await noteRun(tx, run.id, ended)
    await recordRun(tx, { audit }, { ...run, startedBy: actor.userId, origin: actor.origin }, 'cancelled')
    return { ...run, ...ended }
  })
