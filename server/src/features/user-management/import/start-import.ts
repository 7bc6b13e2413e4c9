import { uuidv7 } from '../../../platform/crypto/random.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { ImportRunId } from '../../../platform/ids.js'
import { requireActiveActor } from '../../access-tokens/index.js'
import { lockMembers } from '../../members/index.js'
import type { ImportDeps, ImportOptions } from './deps.js'
import { type ImportFailure, type ImportRun, importRepository } from './repository.js'
import { emailOf, type ImportRow, readImportRows } from './rows.js'
import { startNext } from './start-next.js'

/**
 * Accepts a list of users and starts its import, or queues it while another import of the team is running. Repeated email addresses are
 * recorded as failures of the later lines.
 * @throws invalid_request if the file cannot be parsed; then nothing is stored
 */
export async function startImport(
  { db, clock, audit, jobs }: ImportDeps,
  actor: Actor,
  {
    csv,
    dryRun,
    onboardingMethod,
  }: { csv: string; dryRun: boolean; onboardingMethod: ImportOptions['onboardingMethod'] },
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
      failures.push({
        line: Number(row.line),
        email: row.email ?? '',
        code: 'duplicate_row',
        message: `The email address is already on line ${first}`,
      })
  }
  return { rows, failures }
}
