import type { Filter } from '../../protocols/scim/index.js'
import type { Columns } from './compile-filter.js'

/** Whether an index leads to what a filter finds; for any other a team is read through. */
export function isAnsweredByIndex(filter: Filter, columns: Columns): boolean {
  switch (filter.op) {
    case 'not':
    case 'pr':
    case '[]':
      return false
    case 'and':
      return filter.filters.some((one) => isAnsweredByIndex(one, columns))
    case 'or':
      return filter.filters.every((one) => isAnsweredByIndex(one, columns))
    default:
      return columns.byIndex(filter) !== undefined
  }
}
