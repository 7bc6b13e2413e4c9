import type { Filter } from '../../protocols/scim/index.js'
import { type Columns, partsOf } from './compile-filter.js'

/** Whether an index leads to what a filter finds; for any other a team is read through. */
export function isAnsweredByIndex(filter: Filter, columns: Columns): boolean {
  switch (filter.op) {
    case 'not':
    case 'pr':
      return false
    case '[]':
      return partsOf(filter.filter).some((part) => 'value' in part && columns.among?.(part) !== undefined)
    case 'and':
      return filter.filters.some((one) => isAnsweredByIndex(one, columns))
    case 'or':
      return filter.filters.every((one) => isAnsweredByIndex(one, columns))
    default:
      return columns.byIndex(filter) !== undefined || columns.among?.(filter) !== undefined
  }
}
