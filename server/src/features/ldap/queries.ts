import type { Actor } from '../../platform/http/actor.js'
import type { DirectoryDeps } from './deps.js'
import type { Directory } from './directory.js'
import { rejection } from './errors.js'
import { directoryRepository } from './repository.js'
import { type DirectoryRun, type RunSummary, runRepository } from './run-repository.js'

type QueryDeps = Pick<DirectoryDeps, 'db'>

/** The team's directory; undefined when it has none. */
export const findDirectory = ({ db }: QueryDeps, { teamId }: Actor): Promise<Directory | undefined> =>
  db.transaction((tx) => directoryRepository(tx, teamId).find())

/** One page of the team's runs, newest first. */
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
