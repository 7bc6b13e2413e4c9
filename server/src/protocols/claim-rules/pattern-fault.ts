import { RE2JSSyntaxException } from 're2js'

const QUANTITIES = /\\[\s\S]|\{(\d+)(?:,(\d*))?\}/g

/** The engine lets no repetitions inside each other multiply to more. */
const MOST_NESTED = 1_000

/**
 * What a pattern repeats, read before anything is made of it (what only looks like a repetition, as inside `[…]`, counts too):
 * the sum of all counts, where `{2,5}` counts 5, and how often a part of it would at most be there, written out.
 */
export function repetitions(pattern: string): { sum: number; copies: number } {
  let sum = 0
  let product = 1
  for (const [, least, most] of pattern.matchAll(QUANTITIES)) {
    const count = Math.max(Number(least ?? 0), Number(most || 0))
    sum += count
    product = Math.min(product * Math.max(count, 1), MOST_NESTED)
  }
  return { sum, copies: product }
}

const UNSUPPORTED: [RegExp, string][] = [
  [/^\(\?<?[=!]/, 'lookahead and lookbehind are not supported'],
  [/^\\(?:[1-9]|k)/, 'references back to a group are not supported inside a pattern'],
]

/**
 * What the engine found wrong with a pattern, in words, with its position as far as the engine tells it.
 * @throws what is no such finding
 */
export function patternFault(pattern: string, error: unknown): { message: string; index?: number } {
  if (!(error instanceof RE2JSSyntaxException)) throw error
  const fragment = error.input ?? ''
  const index = fragment && fragment !== pattern ? pattern.indexOf(fragment) : -1
  const known = UNSUPPORTED.find(([beginning]) => beginning.test(fragment))
  const message = known?.[1] ?? `is no regular expression: ${error.error}${index >= 0 ? ` “${fragment}”` : ''}`
  if (index < 0) return { message }
  return { message: `${message} (at position ${index + 1})`, index }
}
