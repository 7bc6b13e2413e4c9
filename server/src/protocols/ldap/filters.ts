import { FilterParser } from 'ldapts'

const MAX_CHARACTERS = 2_000
const MAX_DEPTH = 20

/**
 * Returns why a string is not a search filter (RFC 4515); undefined if it is one. Counts the parentheses itself, because the library
 * ignores missing closing ones.
 */
export function filterError(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`
  if (/\\(?![0-9a-f]{2})/i.test(text)) return 'must have two hexadecimal digits after each backslash'
  let depth = 0
  for (const [index, letter] of text.split('').entries()) {
    if (letter === '(' && ++depth > MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH}`
    if (letter === ')') depth--
    if (depth < 0 || (depth === 0 && index < text.length - 1))
      return 'must be one filter in parentheses, such as (objectClass=person)'
  }
  if (depth !== 0) return 'must have as many closing as opening parentheses'
  try {
    FilterParser.parseString(text)
    return undefined
  } catch {
    return 'must be a search filter (RFC 4515) without whitespace between its parts'
  }
}
