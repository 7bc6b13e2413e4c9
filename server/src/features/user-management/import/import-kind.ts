import { lockBatch } from '../../users/index.js'
import { type Rejected, reasonOf } from '../runs/end-run.js'
import type { RunRow } from '../runs/repository.js'
import type { RunKind } from '../runs/run-batches.js'
import type { RunFailure } from '../tables.js'
import { importUser } from './import-user.js'
import { emailOf, type ImportRow } from './rows.js'

/** The length of the longest email address (RFC 5321). A report quotes the beginning of a longer value. */
const MAX_SHOWN = 254

/** Returns why a line was not imported. */
export const failureOfLine = (row: RunRow, error: Rejected): RunFailure => ({
  line: Number(row.line ?? 0),
  email: (row.email ?? '').slice(0, MAX_SHOWN),
  ...reasonOf(error),
})

export const importKind: RunKind = {
  permissionOf: () => 'users:write',
  // All accounts before the first row, because adding a member locks the team.
  lockRows: (tx, _teamId, rows) => lockBatch(tx, rows, (row) => [emailOf(row as ImportRow)]),
  verifiesEachRow: false,
  applyRow: (tx, deps, actor, { options }, row) => importUser(tx, deps, actor, row as ImportRow, options),
  failureOf: failureOfLine,
}
