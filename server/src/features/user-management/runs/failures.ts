import type { RunFailure } from '../tables.js'
import type { Run } from './repository.js'

/** The failed rows that a run stores. */
export const MAX_FAILURES = 500

/** Returns the failures that are stored in addition to those of the run, up to `MAX_FAILURES`. */
export const withinLimit = (failures: RunFailure[], stored: readonly RunFailure[] = []): RunFailure[] =>
  failures.slice(0, Math.max(0, MAX_FAILURES - stored.length))

/** Returns the number of all failures: each processed row without another result, and that of the run as a whole. */
export const countFailed = ({ status, processed, created, updated, unchanged }: Omit<Run, 'failures'>): number =>
  processed - created - updated - unchanged + (status === 'failed' ? 1 : 0)
