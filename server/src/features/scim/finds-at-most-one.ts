import type { Filter } from '../../protocols/scim/index.js'
import type { Columns } from './compile-filter.js'

/**
 * Returns whether a filter finds at most one resource, by an index. Any other may read a whole team or return a whole page: an index does
 * not limit what it finds, because a team may write one email address or display name to all of its users.
 */
export function findsAtMostOne(filter: Filter, columns: Columns): boolean {
  if (filter.op === 'and') return filter.filters.some((one) => findsAtMostOne(one, columns))
  return filter.op === 'eq' && columns.unique.has(filter.target.path) && columns.byIndex(filter) !== undefined
}
