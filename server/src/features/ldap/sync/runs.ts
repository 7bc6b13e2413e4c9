import type { Actor } from '../../../platform/http/actor.js'
import type { DirectoryDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { type DirectoryRun, type RunSummary, runRepository } from '../model/run-repository.js'
import { storeResult } from './run-sync.js'

/** Returns one page of the team's runs, newest first. */
export const listRuns = (
  { db }: DirectoryDeps,
  { teamId }: Actor,
  page: { page: number; limit: number },
): Promise<{ runs: RunSummary[]; total: number }> =>
  db.transaction(async (tx) => {
    const repository = runRepository(tx, teamId)
    return { runs: await repository.page(page), total: await repository.total() }
  })

/** @throws directory_run_not_found */
export const readRun = ({ db }: DirectoryDeps, { teamId }: Actor, id: string): Promise<DirectoryRun> =>
  db.transaction(async (tx) => {
    const run = await runRepository(tx, teamId).find(id)
    if (!run) throw rejection('directory_run_not_found')
    return run
  })

/** Cancels a run after its current batch; applied changes remain. @throws directory_run_not_found, directory_run_finished */
export const cancelRun = (deps: DirectoryDeps, actor: Actor, id: string): Promise<DirectoryRun> =>
  deps.db.transaction(async (tx) => {
    const run = await runRepository(tx, actor.teamId).find(id, { lock: true })
    if (!run) throw rejection('directory_run_not_found')
    if (run.status !== 'running') throw rejection('directory_run_finished')
    return storeResult(tx, deps, run, 'cancelled', {}, actor)
  })
