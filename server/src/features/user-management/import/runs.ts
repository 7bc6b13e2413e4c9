import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import type { UserDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { cancelRun, isOpen } from '../runs/cancel-runs.js'
import type { RunOptions } from '../runs/deps.js'
import { type Run, type RunSummary, runRepository } from '../runs/repository.js'
import { startRun } from '../runs/start-run.js'
import type { RunFailure } from '../tables.js'
import { failureOfLine } from './import-kind.js'
import { emailOf, type ImportRow, readImportRows } from './rows.js'

/**
 * Accepts a list of users and starts its import, or queues it while another run of the team is running. Repeated email addresses are
 * recorded as failures of the later lines.
 * @throws invalid_request if the file cannot be parsed; then nothing is stored. rate_limited while many runs of the team wait
 */
export async function startImport(
  deps: UserDeps,
  actor: Actor,
  { csv, dryRun, onboardingMethod }: { csv: string; dryRun: boolean } & Pick<RunOptions, 'onboardingMethod'>,
): Promise<Pick<Run, 'id' | 'status'>> {
  const lines = readImportRows(csv)
  const { rows, failures } = withoutDuplicates(lines)
  return deps.db.transaction(async (tx) => {
    const { id, status } = await startRun(tx, deps, actor, { action: null, dryRun, onboardingMethod, rows, failures })
    await deps.audit.record(tx, actor, 'users.imported', {
      resource: `import:${id}`,
      metadata: { status: 'started', dryRun, total: lines.length, onboardingMethod },
    })
    return { id, status }
  })
}

function withoutDuplicates(lines: ImportRow[]): { rows: ImportRow[]; failures: RunFailure[] } {
  const firstLine = new Map<string, string>()
  const rows: ImportRow[] = []
  const failures: RunFailure[] = []
  for (const row of lines) {
    const email = emailOf(row)
    const first = firstLine.get(email)
    if (first === undefined) {
      firstLine.set(email, row.line)
      rows.push(row)
    } else
      failures.push(
        failureOfLine(row, { code: 'duplicate_row', title: `The email address is already on line ${first}` }),
      )
  }
  return { rows, failures }
}

/** Returns one page of the team's imports, newest first. */
export const listImports = (
  { db }: UserDeps,
  { teamId }: Actor,
  page: { page: number; limit: number },
): Promise<{ runs: RunSummary[]; total: number }> =>
  db.transaction(async (tx) => {
    const repository = runRepository(tx, teamId)
    return { runs: await repository.page(page), total: await repository.total() }
  })

/** @throws import_not_found */
export const readImport = ({ db }: UserDeps, { teamId }: Actor, id: string): Promise<Run> =>
  db.transaction((tx) => findImport(tx, teamId, id))

async function findImport(tx: Transaction, teamId: TeamId, id: string, options?: { lock: boolean }): Promise<Run> {
  const run = await runRepository(tx, teamId).find('import', id, options)
  if (!run) throw rejection('import_not_found')
  return run
}

/** Cancels a queued import, or a running one after its current batch. Rows that are done stay. @throws import_not_found, import_finished */
export const cancelImport = (deps: UserDeps, actor: Actor, id: string): Promise<Run> =>
  deps.db.transaction(async (tx) => {
    const run = await findImport(tx, actor.teamId, id, { lock: true })
    if (!isOpen(run)) throw rejection('import_finished')
    return cancelRun(tx, deps, actor, run)
  })
