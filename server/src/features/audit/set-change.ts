/** Of a long list an entry names the first; the numbers are of all. */
const NAMED = 100

/**
 * What an entry says of a set that was replaced: for each part of the change, such as `added`, its number, and as `addedIds` the
 * first hundred.
 */
export const setChange = (parts: Record<string, readonly string[]>): Record<string, number | string[]> =>
  Object.fromEntries(
    Object.entries(parts).flatMap(([part, ids]) => [
      [part, ids.length],
      [`${part}Ids`, ids.slice(0, NAMED)],
    ]),
  )
