import { DAY } from '../../platform/clock.js'
import { deletedAfter, type RetentionRule } from '../../platform/db/retention.js'
import { importRuns } from './tables.js'

export const RUN_RETENTION: RetentionRule[] = [
  deletedAfter(
    importRuns,
    importRuns.finishedAt,
    90 * DAY,
    '90 days after they finish, with their reports; the oldest earlier if a team has more than 200',
  ),
]
