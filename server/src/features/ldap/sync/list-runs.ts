import type { Actor } from '../../../platform/http/actor.js'
import type { DirectoryDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { type DirectoryRun, type RunSummary, runRepository } from '../model/run-repository.js'

type QueryDeps = Pick<DirectoryDeps, 'db'>

/** Returns one page of the team's runs, newest first. */
export const listRuns = (
  { db }: QueryDeps,
  { teamId }: Actor,
  page: { page: number; limit: number },
): Promise<{ runs: RunSummary[]; total: number }> =>
  db.transaction(async (tx) => {
    const repository = runRepository(tx, teamId)
    return { runs: await repository.page(page), total: await repository.total() }
  })

/** @throws directory_run_not_found */
export const readRun = ({ db }: QueryDeps, { teamId }: Actor, id: string): Promise<DirectoryRun> =>
  db.transaction(async (tx) => {
    const run = await runRepository(tx, teamId).find(id)
    if (!run) throw rejection('directory_run_not_found')
    return run
  })
