import { isOutOfTime } from '../../../platform/db/database-errors.js'
import { rejection } from '../errors.js'
import { isFiltered, type LogQuery } from './filter.js'

/**
 * Converts the timeout of a search to an error that requests a narrower search instead of 503. Without a filter there is no search, so a
 * timeout means that the database is too slow.
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
