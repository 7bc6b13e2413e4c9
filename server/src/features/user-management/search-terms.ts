import type { TeamId } from '../../platform/ids.js'

/** Words of a query; more are ignored. */
const MAX_WORDS = 8
/** Enough to leave few candidate rows; each key costs one more index scan. */
const MAX_KEYS_PER_WORD = 6

/** Index keys to look up, and the parts that the stored value must contain. */
export interface SearchTerms {
  keys: string[]
  parts: string[]
}

/**
 * Returns the terms of a search query; each word must match. A word of three or more characters matches anywhere; a shorter one matches the
 * beginning of a word. The keys equal those that `search_keys` (migration `member-search`) computes for stored values.
 * @param folded the query after `search_fold`
 * @returns undefined if the query is empty
 */
export function searchTerms(teamId: TeamId, folded: string): SearchTerms | undefined {
  const words = [...new Set(folded.split(' '))].filter((word) => word !== '').slice(0, MAX_WORDS)
  if (words.length === 0) return undefined
  const parts = words.filter((word) => [...word].length > 2)
  const keys = words.flatMap((word) => keysOf([...word]))
  return { keys: [...new Set(keys)].map((key) => `${teamId.slice(-6)}${key}`), parts }
}

function keysOf(letters: string[]): string[] {
  if (letters.length <= 2) return [`^${letters.join('')}`]
  const all = letters.slice(2).map((_, place) => letters.slice(place, place + 3).join(''))
  // A selection, evenly spread over a long word.
  const step = Math.max(1, all.length / MAX_KEYS_PER_WORD)
  return Array.from(
    { length: Math.min(all.length, MAX_KEYS_PER_WORD) },
    (_, index) => all[Math.floor(index * step)] ?? '',
  )
}
