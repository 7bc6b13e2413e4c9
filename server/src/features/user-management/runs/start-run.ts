import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError, retryLater } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { ImportRunId } from '../../../platform/ids.js'
import { requireActiveActor } from '../../access-tokens/index.js'
import { lockMembers } from '../../members/index.js'
import type { UserDeps } from '../deps.js'
import type { RunFailure } from '../tables.js'
import type { BulkAction, RunOptions } from './deps.js'
import { startNext } from './end-run.js'
import { withinLimit } from './failures.js'
import { type Run, type RunRow, runRepository } from './repository.js'

/** Queued and running runs of a team: a short request can store many rows. */
const MAX_OPEN = 20
/** Ended runs of a team. */
const MAX_ENDED = 200
/** Seconds. */
const RETRY_AFTER = 60

interface NewRun {
  action: BulkAction | null
  dryRun: boolean
  onboardingMethod: RunOptions['onboardingMethod']
  rows: RunRow[]
  /** The rows that were already rejected. */
  failures: RunFailure[]
}

/**
 * Stores a run and starts it, or queues it while another one of the team is running. Deletes the team's oldest reports beyond the limit. Runs
 * in the caller's transaction.
 * @throws invalid_access_token if the caller's access was revoked since the request was authenticated; rate_limited while many runs of
 * the team wait
 */
export async function startRun(
  tx: Transaction,
  { clock, jobs }: Pick<UserDeps, 'clock' | 'jobs'>,
  actor: Actor,
  { action, dryRun, onboardingMethod, rows, failures }: NewRun,
): Promise<Pick<Run, 'id' | 'status' | 'total'>> {
  const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
  // The caller may have left the team, or the team been deleted, since the request was authenticated.
  if ((await lockMembers(tx, actor.teamId, [actor.userId])).length === 0) throw platformError('invalid_access_token')
  const repository = runRepository(tx, actor.teamId)
  if ((await repository.countOpen()) >= MAX_OPEN) throw retryLater('rate_limited', RETRY_AFTER)
  await repository.deleteOldest(MAX_ENDED)
  const id = uuidv7<ImportRunId>(clock)
  const total = rows.length + failures.length
  await repository.insert({
    id,
    startedBy: actor.userId,
    temporarySetBy,
    action,
    dryRun,
    status: 'queued',
    rows,
    options: { onboardingMethod, origin: actor.origin, permissions: [...actor.permissions] },
    total,
    processed: failures.length,
    created: 0,
    updated: 0,
    unchanged: 0,
    failures: withinLimit(failures),
    createdAt: clock.now(),
    finishedAt: null,
  })
  const started = await startNext(tx, jobs, actor.teamId)
  return { id, status: started === id ? 'running' : 'queued', total }
}
