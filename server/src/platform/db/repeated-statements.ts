import { createHash } from 'node:crypto'

/** The number of statements in memory. SQL that depends on a request (a list of values) must not fill the memory. */
const MAX_REMEMBERED = 4_000
/** Longer SQL is compiled from a request (a filter): each variant would occupy hundreds of KiB in a connection. */
const MAX_LENGTH = 2_000
/** Matches statements whose best plan depends on the values: they sort, match a pattern, or look up a list. */
const NEEDS_VALUES = / order by | i?like |= any ?\(/i

/** The name of each statement that was sent more than once; undefined for one that was sent once. */
const names = new Map<string, string | undefined>()

/** Returns the name of a prepared statement, derived from its SQL so that a name never refers to another statement. */
export const statementName = (statement: string): string => createHash('sha256').update(statement).digest('base64url')

/**
 * Returns the name of a statement from its second use in the process on, so that PostgreSQL parses it once per
 * connection and can cache its plan. That saves half of the cost of a short statement.
 *
 * A statement that sorts, matches a pattern or looks up a list has none: PostgreSQL could cache a plan that is slow for a large team.
 *
 * @returns undefined for a statement that is not to be prepared
 */
export function nameOfRepeated(statement: string): string | undefined {
  const known = names.get(statement)
  if (known !== undefined) return known
  if (statement.length > MAX_LENGTH || NEEDS_VALUES.test(statement)) return undefined
  if (!names.has(statement)) {
    if (names.size >= MAX_REMEMBERED) names.clear()
    names.set(statement, undefined)
    return undefined
  }
  const name = statementName(statement)
  names.set(statement, name)
  return name
}
