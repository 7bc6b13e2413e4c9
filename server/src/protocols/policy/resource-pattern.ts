/** A piece of a pattern between two wildcards, ready to be looked for. */
interface Piece {
  text: string
  /** The table of Knuth, Morris and Pratt; undefined for a short piece, which the engine's own search finds in linear time. */
  failure: Uint16Array | undefined
}

/** `*` matches any run of characters, separators and none too; every other character matches itself. Anchored at both ends. */
export interface ResourcePattern {
  /** The whole text of a pattern without a wildcard. */
  exact: string | undefined
  /** What a resource begins and ends with; may be empty. */
  prefix: string
  suffix: string
  pieces: Piece[]
}

/** Up to this length a naive search is linear too: so many comparisons for a character at most. */
const SHORT = 8

export function compilePattern(pattern: string): ResourcePattern {
  const parts = pattern.split('*')
  const prefix = parts[0] ?? ''
  if (parts.length === 1) return { exact: prefix, prefix, suffix: '', pieces: [] }
  const pieces = parts.slice(1, -1).filter((text) => text !== '')
  return { exact: undefined, prefix, suffix: parts.at(-1) ?? '', pieces: pieces.map(pieceOf) }
}

const pieceOf = (text: string): Piece => ({ text, failure: text.length > SHORT ? failureOf(text) : undefined })

/** For each place of the text: the length of the longest proper beginning of it that ends there. */
function failureOf(text: string): Uint16Array {
  const failure = new Uint16Array(text.length)
  for (let index = 1, length = 0; index < text.length; index++) {
    while (length > 0 && text[index] !== text[length]) length = failure[length - 1] ?? 0
    if (text[index] === text[length]) length++
    failure[index] = length
  }
  return failure
}

/** Time linear in the length of the resource, whatever the pattern: no backtracking, as each piece is best taken where it comes first. */
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

/** Where the first occurrence of the piece within `from` and `end` ends; -1 when there is none. */
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
