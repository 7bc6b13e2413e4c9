import { fault, type ScimType } from './scim-fault.js'

/** A part of a filter or path. A word is an attribute, an operator or a literal that is no text. */
export type Token =
  | { kind: 'word'; text: string }
  | { kind: 'text'; value: string }
  | { kind: 'mark'; text: '(' | ')' | '[' | ']' }

/** Longer than any that a directory sends, and short enough that nobody waits for it. In UTF-16 units. */
const LONGEST = 2_048

const TOKEN = /\s+|([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+)/gsuy

const isMark = (text: string): text is '(' | ')' | '[' | ']' => /^[()[\]]$/.test(text)

/** A text as JSON writes it (RFC 7644 has its literals from RFC 7159). */
function unquote(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal)
    return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Takes a filter or path apart.
 * @param type how it is refused: too long, a text that is not closed, or not as JSON writes texts
 */
export function scanFilter(source: string, type: ScimType): Token[] {
  if (source.length > LONGEST) throw fault(type, `At most ${LONGEST} characters are read.`)
  const tokens: Token[] = []
  let end = 0
  for (const found of source.matchAll(TOKEN)) {
    const [whole, mark, literal, word] = found
    if (mark !== undefined && isMark(mark)) tokens.push({ kind: 'mark', text: mark })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (literal !== undefined) {
      const value = unquote(literal)
      if (value === undefined) throw fault(type, `A text is not as JSON writes it (at position ${end + 1}).`)
      tokens.push({ kind: 'text', value })
    }
    end += whole.length
  }
  if (end < source.length) throw fault(type, `A text is not closed (at position ${end + 1}).`)
  return tokens
}
