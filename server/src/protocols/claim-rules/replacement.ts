/** Literal text, or the number of a group (0: the whole match). */
type Part = string | number

const REFERENCE = /\$(?:(\$)|(&)|(\d{1,2})|<([^>]*)>|\{([^}]*)\}|([`']))/g

/**
 * Parses a replacement as `String.prototype.replace` reads it: `$1` to `$99`, `$&` (the whole match), `$$` (a dollar sign), `$<name>`;
 * and in addition `${name}`. Any other dollar sign is literal.
 */
export function parseReplacement(
  replacement: string,
  groups: number,
  names: Record<string, number>,
): Part[] | { message: string; index: number } {
  const parts: Part[] = []
  let copied = 0
  for (const match of replacement.matchAll(REFERENCE)) {
    const [whole, dollar, all, digits, angled, braced, surroundings] = match
    const index = match.index
    const missing = (what: string) => ({ message: `${what} (at position ${index + 1})`, index })
    parts.push(replacement.slice(copied, index))
    copied = index + whole.length
    const name = angled ?? braced
    if (dollar) parts.push('$')
    else if (all) parts.push(0)
    else if (surroundings) return missing(`${whole} is not supported`)
    else if (name !== undefined) {
      const group = Object.hasOwn(names, name) ? names[name] : undefined
      if (group === undefined) return missing(`the pattern has no group “${name}”`)
      parts.push(group)
    } else if (digits) {
      // As in JavaScript: two digits name a group if it exists, otherwise the second digit is literal.
      const both = Number(digits)
      const group = both <= groups ? both : Number(digits[0])
      if (group === 0) return missing('there is no group 0; the whole match is $&')
      if (group > groups) return missing(`the pattern has no group ${group}`)
      parts.push(group)
      if (group !== both) parts.push(digits.slice(1))
    }
  }
  parts.push(replacement.slice(copied))
  return parts.filter((part) => part !== '')
}

/** @param groupOf returns the match of a group */
export const expand = (parts: Part[], groupOf: (group: number) => string): string =>
  parts.map((part) => (typeof part === 'string' ? part : groupOf(part))).join('')
