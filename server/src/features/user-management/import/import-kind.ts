import { lockBatch } from '../../users/index.js'
import { type Rejected, reasonOf } from '../runs/end-run.js'
import type { RunRow } from '../runs/repository.js'
import type { RunKind } from '../runs/run-batches.js'
import type { RunFailure } from '../tables.js'
import { importUser } from './import-user.js'
import { emailOf, type ImportRow } from './rows.js'

/** Returns why a line was not imported. */
export const failureOfLine = (row: RunRow, error: Rejected): RunFailure => ({
  line: Number(row.line ?? 0),
  email: row.email ?? '',
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
