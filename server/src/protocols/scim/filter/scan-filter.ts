import { invalidRequest, type ScimType } from '../scim-error.js'

/** A token of a filter or path. A word is an attribute, an operator or a literal that is not a string. */
export type Token =
  | { kind: 'word'; text: string }
  | { kind: 'text'; value: string }
  | { kind: 'mark'; text: '(' | ')' | '[' | ']' }

/** Longer than any filter that clients send, and short enough to process immediately. In UTF-16 units. */
const MAX_LENGTH = 2_048

const TOKEN = /\s+|([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+)/gsuy

const isMark = (text: string): text is '(' | ')' | '[' | ']' => /^[()[\]]$/.test(text)

/** Parses a JSON string (RFC 7644 takes its literals from RFC 7159). */
function unquote(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal)
    return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Splits a filter or path into tokens.
 * @param type the type of the error if it is too long or contains an invalid string
 */
export function scanFilter(source: string, type: ScimType): Token[] {
  if (source.length > MAX_LENGTH)
    throw invalidRequest(type, `Filters and paths may have at most ${MAX_LENGTH} characters.`)
  const tokens: Token[] = []
  let end = 0
  for (const found of source.matchAll(TOKEN)) {
    const [whole, mark, literal, word] = found
    if (mark !== undefined && isMark(mark)) tokens.push({ kind: 'mark', text: mark })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (literal !== undefined) {
      const value = unquote(literal)
      if (value === undefined) throw invalidRequest(type, `Invalid JSON string at position ${end + 1}.`)
      tokens.push({ kind: 'text', value })
    }
    end += whole.length
  }
  if (end < source.length) throw invalidRequest(type, `Unterminated string at position ${end + 1}.`)
  return tokens
}
