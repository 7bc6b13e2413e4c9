/** One character or escape of a pattern, matched from left to right, so that a character after `\\` is not an escape. */
const TOKEN = /\\x\{[\da-f]+\}|\\x[\da-f]{2}|\\[0-7]{1,3}|\\[\s\S]|[\s\S]/giu

/** Enables case folding inside a pattern, such as `(?i)` and `(?si:`. */
const FOLDS_INSIDE = /\(\?[a-z]*i/i

function codePointOf(token: string): number {
  const hex = /^\\x\{?([\da-f]+)/i.exec(token)?.[1]
  if (hex) return Number.parseInt(hex, 16)
  if (/^\\[0-7]/.test(token)) return Number.parseInt(token.slice(1), 8)
  return token.codePointAt(token.length > 1 && token.startsWith('\\') ? 1 : 0) ?? 0
}

/**
 * Estimates what makes a pattern slow to compile, besides its length, without compiling it: the number of Unicode classes (`\pL`,
 * `\P{Greek}`), and the number of characters in ranges for which the engine looks up the other case. May overestimate.
 */
export function characterClasses(pattern: string, flags: string): { unicode: number; folded: number } {
  const tokens = pattern.match(TOKEN) ?? []
  const folds = flags.includes('i') || FOLDS_INSIDE.test(pattern)
  let folded = 0
  for (const [index, token] of tokens.entries()) {
    const [from, to] = [tokens[index - 1], tokens[index + 1]]
    if (!folds || token !== '-' || from === undefined || to === undefined) continue
    folded += Math.max(codePointOf(to) - codePointOf(from) + 1, 0)
  }
  return { unicode: tokens.filter((token) => /^\\p$/i.test(token)).length, folded }
}
