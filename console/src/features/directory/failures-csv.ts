import type { DirectoryRun } from '../../api/contract'
import { ldapRunWords as words } from '../../words'

/** What a spreadsheet takes for the beginning of a formula, in the width of either alphabet (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A cell (RFC 4180 2): quoted where it must be; an apostrophe before what a spreadsheet would execute. */
function cellOf(value: string | null): string {
  const text = value !== null && FORMULA.test(value) ? `'${value}` : (value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The entries that a run refused, a line each. Names and addresses in it are the directory's: none of them is executed anywhere. */
export function failuresCsv(failed: DirectoryRun['failed']): string {
  const rows = failed.map(({ dn, email, code, message }) => [dn, email, code, words.refusal(code, message)])
  return [words.csvHead, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}
