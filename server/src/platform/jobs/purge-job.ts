import { type Clock, HOUR } from '../clock.js'
import type { Database } from '../db/database.js'
import { deleteExpired, type RetentionRule } from '../db/retention.js'
import type { JobKind } from './jobs.js'

/** Returns the hourly job that deletes the rows of some rules. */
export const purgeJob = (deps: { db: Database; clock: Clock }, kind: string, rules: RetentionRule[]): JobKind => ({
  kind,
  every: HOUR,
  delaysFirstRun: true,
  run: () => deleteExpired(deps, rules),
})
