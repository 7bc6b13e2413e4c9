import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import type { DelegatedBy } from '../../sessions/index.js'
import type { EndDeps, UserDeps } from '../deps.js'
import { endRun, startNext } from './end-run.js'
import { lockOpenOf, type Run } from './repository.js'

/** Cancels a locked run that is queued or running; its current batch is done. Runs in the caller's transaction. */
export async function cancelRun(tx: Transaction, deps: UserDeps, actor: Actor, run: Run): Promise<Run> {
  const ended = await endRun(tx, deps, run, 'cancelled', [], actor)
  if (run.status === 'running') await startNext(tx, deps.jobs, actor.teamId)
  return ended
}

/** Returns whether a run has neither ended nor been cancelled. */
export const isOpen = ({ status }: Run): boolean => status === 'queued' || status === 'running'

/**
 * Cancels every queued or running import and bulk change that the user started; the current batch completes. The job of a running one starts
 * the team's next. Runs in the caller's transaction.
 * @param which restricts it to one team, or to sessions that a temporary password started
 * @returns the team of each
 */
export async function cancelRunsStartedBy(
  tx: Transaction,
  deps: Pick<EndDeps, 'clock' | 'audit'>,
  userId: UserId,
  which?: DelegatedBy,
): Promise<TeamId[]> {
  const runs = await lockOpenOf(tx, userId, which)
  for (const run of runs) await endRun(tx, deps, run, 'cancelled')
  return runs.map(({ organizationId }) => organizationId)
}
