/** A literal part of a pattern between two wildcards, prepared for the search. */
interface Piece {
  text: string
  /** The Knuth-Morris-Pratt table; undefined for a short part, for which `indexOf` is linear. */
  failure: Uint16Array | undefined
}

/** `*` matches any sequence of characters, including separators and none; every other character matches itself. Anchored at both ends. */
export interface ResourcePattern {
  /** The pattern, if it has no wildcard. */
  exact: string | undefined
  /** Literal prefix and suffix; may be empty. */
  prefix: string
  suffix: string
  pieces: Piece[]
}

/** Up to this length a naive search is linear too, with at most this number of comparisons per character. */
const SHORT = 8

export function compilePattern(pattern: string): ResourcePattern {
  const parts = pattern.split('*')
  const prefix = parts[0] ?? ''
  if (parts.length === 1) return { exact: prefix, prefix, suffix: '', pieces: [] }
  const pieces = parts.slice(1, -1).filter((text) => text !== '')
  return { exact: undefined, prefix, suffix: parts.at(-1) ?? '', pieces: pieces.map(pieceOf) }
}

const pieceOf = (text: string): Piece => ({ text, failure: text.length > SHORT ? failureOf(text) : undefined })

/** Returns for each position the length of the longest proper prefix that ends there. */
function failureOf(text: string): Uint16Array {
  const failure = new Uint16Array(text.length)
  for (let index = 1, length = 0; index < text.length; index++) {
    while (length > 0 && text[index] !== text[length]) length = failure[length - 1] ?? 0
    if (text[index] === text[length]) length++
    failure[index] = length
  }
  return failure
}

/** Linear in the length of the resource for any pattern: each part matches at its first occurrence, so no backtracking is needed. */
export function matchesPattern({ exact, prefix, suffix, pieces }: ResourcePattern, resource: string): boolean {
  if (exact !== undefined) return resource === exact
  const end = resource.length - suffix.length
  if (end < prefix.length || !resource.startsWith(prefix) || !resource.endsWith(suffix)) return false
  let from = prefix.length
  for (const piece of pieces) {
    from = endOf(piece, resource, from, end)
    if (from < 0) return false
  }
  return true
}

/** Returns the end of the first occurrence of the part between `from` and `end`; -1 if there is none. */
function endOf({ text, failure }: Piece, resource: string, from: number, end: number): number {
  if (!failure) {
    const at = resource.indexOf(text, from)
    return at < 0 || at + text.length > end ? -1 : at + text.length
  }
  for (let index = from, length = 0; index < end; index++) {
    const code = resource.charCodeAt(index)
    while (length > 0 && code !== text.charCodeAt(length)) length = failure[length - 1] ?? 0
    if (code === text.charCodeAt(length)) length++
    if (length === text.length) return index + 1
  }
  return -1
}
