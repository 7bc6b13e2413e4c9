import type { DirectoryRunSummary } from '../../../../api/contract'

type Outcome = 'running' | 'succeeded' | 'problems' | 'failed' | 'cancelled'

/** Returns the outcome of a run. A completed run with rejected entries has problems. */
export function outcomeOf({ status, failures }: Pick<DirectoryRunSummary, 'status' | 'failures'>): Outcome {
  if (status === 'running' || status === 'cancelled' || status === 'failed') return status
  return failures > 0 ? 'problems' : 'succeeded'
}

const MIN_USERS = 10
const MAX_SUSPENDED = 0.1

/**
 * Returns whether the service requires a confirmation for a sync, estimated from a dry run. The dry run counts valid entries only, so the estimate
 * is true rather too often than too rarely.
 */
export function suspendsMany({
  updated,
  unchanged,
  suspended,
}: Pick<DirectoryRunSummary, 'updated' | 'unchanged' | 'suspended'>): boolean {
  const known = updated + unchanged + suspended
  return known > MIN_USERS && suspended > known * MAX_SUSPENDED
}

/** Returns the polling interval for a run in milliseconds: one second at first, five seconds for a long run. */
export function pollInterval({ createdAt }: Pick<DirectoryRunSummary, 'createdAt'>, now = Date.now()): number {
  return Math.min(5000, Math.max(1000, (now - Date.parse(createdAt)) / 10))
}
