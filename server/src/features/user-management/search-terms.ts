import type { TeamId } from '../../platform/ids.js'

/** More words than anybody types; the rest is overlooked. */
const MOST_WORDS = 8
/** Enough to leave few rows to look at; each more is one more list to read. */
const MOST_KEYS_A_WORD = 6

/** What a search asks the index for, and what must then stand in the text. */
export interface SearchTerms {
  keys: string[]
  parts: string[]
}

/**
 * The terms of a query: each word must be found, wherever it stands. A word of three and more characters is any part of the text;
 * a shorter one is the beginning of a word. The keys are those that `search_keys` (migration `member-search`) makes of a text.
 * @param folded the query, as `search_fold` makes it
 * @returns undefined when nothing is asked
 */
export function searchTerms(teamId: TeamId, folded: string): SearchTerms | undefined {
  const words = [...new Set(folded.split(' '))].filter((word) => word !== '').slice(0, MOST_WORDS)
  if (words.length === 0) return undefined
  const parts = words.filter((word) => [...word].length > 2)
  const keys = words.flatMap((word) => keysOf([...word]))
  return { keys: [...new Set(keys)].map((key) => `${teamId.slice(-6)}${key}`), parts }
}

function keysOf(letters: string[]): string[] {
  if (letters.length <= 2) return [`^${letters.join('')}`]
  const all = letters.slice(2).map((_, place) => letters.slice(place, place + 3).join(''))
  // Of a long word some, spread over it.
  const step = Math.max(1, all.length / MOST_KEYS_A_WORD)
  return Array.from({ length: Math.min(all.length, MOST_KEYS_A_WORD) }, (_, turn) => all[Math.floor(turn * step)] ?? '')
}
