import type { DirectoryRun } from '../../../../api/contract'
import { csvOf } from '../../../../ui/secrets/csv'
import { rejectionOf } from './rejection-of'

/** Returns the rejected entries of a run as CSV. `csvOf` escapes formulas, since the directory controls the values. */
export function failuresCsv(failed: DirectoryRun['failed']): string {
  const rows = failed.map(({ dn, email, code, message }) => [dn, email, code, rejectionOf({ code, message })])
  return csvOf([['dn', 'email', 'code', 'reason'], ...rows])
}
