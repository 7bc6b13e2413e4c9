import type { DirectoryRunSummary } from '../../../../api/contract'

type Outcome = 'running' | 'succeeded' | 'problems' | 'failed' | 'cancelled'

/** What a run came to, for people: one that ended may have left entries out. */
export function outcomeOf({ status, failures }: Pick<DirectoryRunSummary, 'status' | 'failures'>): Outcome {
  if (status === 'running' || status === 'cancelled' || status === 'failed') return status
  return failures > 0 ? 'problems' : 'succeeded'
}

const FEW = 10
const MANY = 0.1

/**
 * Whether a sync would suspend so many that the service wants somebody to agree, as far as a dry run tells: it counts only whom it could take
 * over, so that this asks once too often rather than too seldom.
 */
export function suspendsMany({
  updated,
  unchanged,
  suspended,
}: Pick<DirectoryRunSummary, 'updated' | 'unchanged' | 'suspended'>): boolean {
  const known = updated + unchanged + suspended
  return known > FEW && suspended > known * MANY
}

/** How long to wait until a run is asked after again, in milliseconds: 1 s for a young one, 5 s for one that has gone on for long. */
export function pauseOf({ createdAt }: Pick<DirectoryRunSummary, 'createdAt'>, now = Date.now()): number {
  return Math.min(5000, Math.max(1000, (now - Date.parse(createdAt)) / 10))
}
