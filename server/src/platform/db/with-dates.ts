/** Returns a row of a raw statement with dates in place of its timestamps, which the query builder leaves as strings. */
export const withDates = <Row extends object>(row: Row, columns: readonly (keyof Row)[]): Row => {
  const dates = columns.map((column) => [column, row[column] === null ? null : new Date(row[column] as string | Date)])
  return { ...row, ...Object.fromEntries(dates) }
}
