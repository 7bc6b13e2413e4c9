import { DAY } from '../../platform/clock.js'
import { after, type RetentionRule } from '../../platform/db/retention.js'
import { importRuns } from './tables.js'

export const RUN_RETENTION: RetentionRule[] = [
  after(importRuns, importRuns.finishedAt, 90 * DAY, '90 days after they finish, with their reports'),
]
