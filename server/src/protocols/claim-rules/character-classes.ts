/** One character or escape of a pattern. Read from left to right, so that what follows `\\` is no escape. */
const TOKEN = /\\x\{[\da-f]+\}|\\x[\da-f]{2}|\\[0-7]{1,3}|\\[\s\S]|[\s\S]/giu

/** Switches folding of letters on inside a pattern, as `(?i)` and `(?si:`. */
const FOLDS_INSIDE = /\(\?[a-z]*i/i

function codePointOf(token: string): number {
  const hex = /^\\x\{?([\da-f]+)/i.exec(token)?.[1]
  if (hex) return Number.parseInt(hex, 16)
  if (/^\\[0-7]/.test(token)) return Number.parseInt(token.slice(1), 8)
  return token.codePointAt(token.length > 1 && token.startsWith('\\') ? 1 : 0) ?? 0
}

/**
 * What makes a pattern slow to compile, beside its length, read before anything is made of it (what only looks like it counts too):
 * how many classes of Unicode it names (`\pL`, `\P{Greek}`), and how many characters its ranges span where the engine looks up the
 * other case of each.
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
