import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { ImportRunId, TeamId, UserId } from '../../../platform/ids.js'
import { requireActiveActor } from '../../access-tokens/index.js'
import { lockMembers } from '../../members/index.js'
import type { DelegatedBy } from '../../sessions/index.js'
import type { EndDeps, UserDeps } from '../deps.js'
import { rejection } from '../errors.js'
import type { ImportOptions } from './deps.js'
import { endRun, failureOf, startNext } from './end-run.js'
import { type ImportFailure, type ImportRun, type ImportSummary, importRepository, lockOpenOf } from './repository.js'
import { emailOf, type ImportRow, readImportRows } from './rows.js'

/**
 * Accepts a list of users and starts its import, or queues it while another import of the team is running. Repeated email addresses are
 * recorded as failures of the later lines.
 * @throws invalid_request if the file cannot be parsed; then nothing is stored
 */
export async function startImport(
  { db, clock, audit, jobs }: UserDeps,
  actor: Actor,
  { csv, dryRun, onboardingMethod }: { csv: string; dryRun: boolean } & Pick<ImportOptions, 'onboardingMethod'>,
): Promise<Pick<ImportRun, 'id' | 'status'>> {
  const lines = readImportRows(csv)
  const { rows, failures } = withoutDuplicates(lines)
  return db.transaction(async (tx) => {
    const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
    // The caller may have left the team, or the team been deleted, since the request was authenticated.
    if ((await lockMembers(tx, actor.teamId, [actor.userId])).length === 0) throw platformError('invalid_access_token')
    const id = uuidv7<ImportRunId>(clock)
    await importRepository(tx, actor.teamId).insert({
      id,
      startedBy: actor.userId,
      temporarySetBy,
      dryRun,
      status: 'queued',
      rows,
      options: { onboardingMethod, origin: actor.origin, permissions: [...actor.permissions] },
      total: lines.length,
      processed: failures.length,
      created: 0,
      updated: 0,
      unchanged: 0,
      failures,
      createdAt: clock.now(),
      finishedAt: null,
    })
    const started = await startNext(tx, jobs, actor.teamId)
    await audit.record(tx, actor, 'users.imported', {
      resource: `import:${id}`,
      metadata: { status: 'started', dryRun, total: lines.length, onboardingMethod },
    })
    return { id, status: started === id ? 'running' : 'queued' }
  })
}

function withoutDuplicates(lines: ImportRow[]): { rows: ImportRow[]; failures: ImportFailure[] } {
  const firstLine = new Map<string, string>()
  const rows: ImportRow[] = []
  const failures: ImportFailure[] = []
  for (const row of lines) {
    const email = emailOf(row)
    const first = firstLine.get(email)
    if (first === undefined) {
      firstLine.set(email, row.line)
      rows.push(row)
    } else
      failures.push(failureOf(row, { code: 'duplicate_row', title: `The email address is already on line ${first}` }))
  }
  return { rows, failures }
}

/** Returns one page of the team's imports, newest first. */
export const listImports = (
  { db }: UserDeps,
  { teamId }: Actor,
  page: { page: number; limit: number },
): Promise<{ runs: ImportSummary[]; total: number }> =>
  db.transaction(async (tx) => {
    const repository = importRepository(tx, teamId)
    return { runs: await repository.page(page), total: await repository.total() }
  })

/** @throws import_not_found */
export const readImport = ({ db }: UserDeps, { teamId }: Actor, id: string): Promise<ImportRun> =>
  db.transaction((tx) => importRepository(tx, teamId).get(id))

/** Cancels a queued import, or a running one after its current batch. Rows that are done stay. @throws import_not_found, import_finished */
export const cancelImport = (deps: UserDeps, actor: Actor, id: string): Promise<ImportRun> =>
  deps.db.transaction(async (tx) => {
    const run = await importRepository(tx, actor.teamId).get(id, { lock: true })
    if (run.status !== 'queued' && run.status !== 'running') throw rejection('import_finished')
    const ended = await endRun(tx, deps, run, 'cancelled', [], actor)
    if (run.status === 'running') await startNext(tx, deps.jobs, actor.teamId)
    return ended
  })

/**
 * Cancels every queued or running import that the user started; the current batch completes. The job of a running import starts the team's
 * next one. Runs in the caller's transaction.
 * @param which restricts it to one team, or to sessions that a temporary password started
 * @returns the team of each
 */
export async function cancelImportsStartedBy(
  tx: Transaction,
  deps: Pick<EndDeps, 'clock' | 'audit'>,
  userId: UserId,
  which?: DelegatedBy,
): Promise<TeamId[]> {
  const runs = await lockOpenOf(tx, userId, which)
  for (const run of runs) await endRun(tx, deps, run, 'cancelled')
  return runs.map(({ organizationId }) => organizationId)
}
