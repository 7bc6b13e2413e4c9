import type { DirectoryRun } from '../../../../api/contract'
import { csvOf } from '../../../../ui/csv'
import { ldapRunWords as words } from '../../../../words'

/** The entries that a run refused, a line each. Names and addresses in it are the directory's: none of them is executed anywhere. */
export function failuresCsv(failed: DirectoryRun['failed']): string {
  const rows = failed.map(({ dn, email, code, message }) => [dn, email, code, words.refusal(code, message)])
  return csvOf([words.csvHead, ...rows])
}
