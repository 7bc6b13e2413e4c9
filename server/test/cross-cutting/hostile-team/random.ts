/** Returns a seeded generator of numbers in [0, 1) (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <Item>(random: () => number, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item

/** Returns every combination of one value of each list. */
export function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>((rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])), [[]])
}

/**
 * Returns a small selection of combinations that contains each pair of values of two lists (pairwise testing). Each step draws some rows
 * with the first missing pair and adds the row with the most new pairs.
 * @param apart the number of lists at the beginning that need no pairs with each other
 */
export function coverPairs(lists: readonly (readonly string[])[], random: () => number, apart = 0): string[][] {
  const left = new Map<string, [number, string, number, string]>()
  for (let one = 0; one < lists.length; one++)
    for (let other = Math.max(one + 1, apart); other < lists.length; other++)
      for (const a of lists[one] as string[])
        for (const b of lists[other] as string[]) left.set(keyOf(one, a, other, b), [one, a, other, b])
  const rows: string[][] = []
  while (left.size > 0) {
    const [one, a, other, b] = left.values().next().value as [number, string, number, string]
    const candidates = Array.from({ length: 20 }, () => {
      const row = lists.map((list) => pick(random, list))
      row[one] = a
      row[other] = b
      return row
    })
    const newPairs = (row: string[]) => pairsOf(row).filter((key) => left.has(key)).length
    const best = candidates.reduce((so, row) => (newPairs(row) > newPairs(so) ? row : so))
    for (const key of pairsOf(best)) left.delete(key)
    rows.push(best)
  }
  return rows
}

/**
 * Adds a value of each list before each row: one of those that have so far been with the fewest of the values of the row. Each value is in
 * some row if there are at least as many rows as values.
 */
export function withValues(
  lists: readonly (readonly string[])[],
  rows: readonly string[][],
  random: () => number,
): string[][] {
  const seen = new Set<string>()
  const uses = new Map<string, number>()
  return rows.map((row) => {
    const added = lists.map((list, index) => {
      const known = (value: string) => row.filter((other, at) => seen.has(keyOf(index, value, at, other))).length
      const rank = (value: string) => (uses.get(`${index}:${value}`) ?? 0) * (row.length + 1) + known(value)
      const least = Math.min(...list.map(rank))
      return pick(
        random,
        list.filter((value) => rank(value) === least),
      )
    })
    for (const [index, value] of added.entries()) {
      uses.set(`${index}:${value}`, (uses.get(`${index}:${value}`) ?? 0) + 1)
      for (const [at, other] of row.entries()) seen.add(keyOf(index, value, at, other))
    }
    return [...added, ...row]
  })
}

const keyOf = (one: number, a: string, other: number, b: string): string => `${one}:${a}|${other}:${b}`

const pairsOf = (row: string[]): string[] =>
  row.flatMap((a, one) => row.slice(one + 1).map((b, offset) => keyOf(one, a, one + 1 + offset, b)))
