import { RE2JSSyntaxException } from 're2js'

const QUANTITIES = /\\[\s\S]|\{(\d+)(?:,(\d*))?\}/g

/** The engine's limit for the product of nested repetitions. */
const MAX_NESTED = 1_000

/**
 * Estimates the repetitions of a pattern without compiling it: the sum of all counts, where `{2,5}` counts 5, and the maximum number of
 * copies of a part after expansion. Counts quantifiers inside `[…]` too.
 */
export function repetitions(pattern: string): { sum: number; copies: number } {
  let sum = 0
  let product = 1
  for (const [, least, most] of pattern.matchAll(QUANTITIES)) {
    const count = Math.max(Number(least ?? 0), Number(most || 0))
    sum += count
    product = Math.min(product * Math.max(count, 1), MAX_NESTED)
  }
  return { sum, copies: product }
}

const UNSUPPORTED: [RegExp, string][] = [
  [/^\(\?<?[=!]/, 'lookahead and lookbehind are not supported'],
  [/^\\(?:[1-9]|k)/, 'backreferences to a group are not supported in a pattern'],
]

/**
 * Converts a syntax error of the engine to a message, with its position if known.
 * @throws every other error
 */
export function syntaxViolation(pattern: string, error: unknown): { message: string; index?: number } {
  if (!(error instanceof RE2JSSyntaxException)) throw error
  const fragment = error.input ?? ''
  const index = fragment && fragment !== pattern ? pattern.indexOf(fragment) : -1
  const known = UNSUPPORTED.find(([beginning]) => beginning.test(fragment))
  const message = known?.[1] ?? `is not a regular expression: ${error.error}${index >= 0 ? ` “${fragment}”` : ''}`
  if (index < 0) return { message }
  return { message: `${message} (at position ${index + 1})`, index }
}
