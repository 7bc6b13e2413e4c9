import type { Actor } from '../../../platform/http/actor.js'
import type { ImportDeps } from './deps.js'
import { importError } from './errors.js'
import { type ImportRun, type ImportSummary, importRepository } from './repository.js'

type QueryDeps = Pick<ImportDeps, 'db'>

/** Returns one page of the team's imports, newest first. */
export const listImports = (
  { db }: QueryDeps,
  { teamId }: Actor,
  page: { page: number; limit: number },
): Promise<{ runs: ImportSummary[]; total: number }> =>
  db.transaction(async (tx) => {
    const repository = importRepository(tx, teamId)
    return { runs: await repository.page(page), total: await repository.total() }
  })

/** @throws import_not_found */
export const readImport = ({ db }: QueryDeps, { teamId }: Actor, id: string): Promise<ImportRun> =>
  db.transaction(async (tx) => {
    const run = await importRepository(tx, teamId).find(id)
    if (!run) throw importError('import_not_found')
    return run
  })
