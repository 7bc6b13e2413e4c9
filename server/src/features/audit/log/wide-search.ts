import { isOutOfTime } from '../../../platform/db/database-errors.js'
import { rejection } from '../errors.js'
import { isFiltered, type LogQuery } from './filter.js'

/**
 * Runs a search and converts its timeout to `search_too_wide` instead of 503. Without a filter there is no search: a timeout then means
 * that the database is overloaded, and stays a 503.
 * @throws search_too_wide
 */
export async function runLogSearch<T>(query: LogQuery, search: () => Promise<T>): Promise<T> {
  try {
    return await search()
  } catch (error) {
    if (isFiltered(query) && isOutOfTime(error)) throw rejection('search_too_wide', { cause: error })
    throw error
  }
}
