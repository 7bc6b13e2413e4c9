import { RE2JSSyntaxException } from 're2js'

const QUANTITIES = /\\[\s\S]|\{(\d+)(?:,(\d*))?\}/g

/** The sum of the counts of all repetitions (`{2,5}` counts 5). What only looks like one, as inside `[…]`, counts too. */
export function repeatSum(pattern: string): number {
  let sum = 0
  for (const [, least, most] of pattern.matchAll(QUANTITIES)) sum += Math.max(Number(least ?? 0), Number(most || 0))
  return sum
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
