import { isOutOfTime } from '../../platform/db/database-errors.js'
import { rejection } from './errors.js'
import { isFiltered, type LogQuery } from './log-filter.js'

/**
 * A search that the database gave up is for the caller to narrow, not for us to be down. Without a filter nothing is searched: then
 * it is the database that is too slow.
 * @throws search_too_wide
 */
export async function rejectWideSearch<T>(query: LogQuery, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (isFiltered(query) && isOutOfTime(error)) throw rejection('search_too_wide', { cause: error })
    throw error
  }
}
