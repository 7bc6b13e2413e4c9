/** The maximum number of IDs in an entry. */
const MAX_NAMED_IDS = 100

/**
 * Returns the metadata of a replaced set: for each part of the change, such as `added`, the number of IDs, and as `addedIds` the
 * first `MAX_NAMED_IDS` of them.
 */
export const setChange = (parts: Record<string, readonly string[]>): Record<string, number | string[]> =>
  Object.fromEntries(
    Object.entries(parts).flatMap(([part, ids]) => [
      [part, ids.length],
      [`${part}Ids`, ids.slice(0, MAX_NAMED_IDS)],
    ]),
  )
