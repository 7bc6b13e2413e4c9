import { createHash } from 'node:crypto'

/** How many statements a process remembers. SQL whose length depends on a request (a list of values) must not fill its memory. */
const MAX_REMEMBERED = 4_000
/** Longer SQL is compiled from a request (a filter): a connection would keep hundreds of KiB for each of its variants. */
const MAX_LENGTH = 2_000
/** Statements whose best plan depends on the values: they sort, match a pattern, or look up a list. */
const NEEDS_VALUES = / order by | i?like |= any ?\(/i

/** The name of each statement that was sent more than once; undefined for one that was sent once. */
const names = new Map<string, string | undefined>()

/** Returns the name under which a connection prepares this SQL; the same on every node, so that a name never means another statement. */
export const statementName = (statement: string): string => createHash('sha256').update(statement).digest('base64url')

/**
 * Returns the name of the statement from the second time that the process sends it, so that PostgreSQL parses it once for each
 * connection and can keep its plan. That saves half of the cost of a short statement.
 *
 * A statement that sorts, matches a pattern or looks up a list gets none: PostgreSQL could keep a plan that is bad for a large team.
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
