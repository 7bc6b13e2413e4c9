/** Returns lines of aligned columns, each value in one line. */
export function table(rows: string[][]): string {
  const widths = rows.reduce<number[]>(
    (so, row) => row.map((cell, column) => Math.max(so[column] ?? 0, cell.length)),
    [],
  )
  return rows
    .map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}

/** Returns a count with its noun: `1 session`, `2 sessions`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
