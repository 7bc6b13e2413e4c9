/** The first characters that spreadsheet programs take for a formula, in both widths (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A field (RFC 4180, 2): quoted if necessary; an apostrophe before a formula, so that no spreadsheet program runs it. */
function csvField(value: string | null): string {
  const text = value !== null && FORMULA.test(value) ? `'${value}` : (value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The rows as a CSV file. */
export const csvOf = (rows: readonly (readonly (string | null)[])[]): string =>
  rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
