/** The attributes and values of one RDN, sorted. */
type Rdn = [type: string, value: string][]

const TYPE = /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)*)$/
/** Fast path for most DNs: without escapes, so only the case is normalized. */
const VALUE = "[a-z0-9._@'()/&:!*-]+"
const PLAIN_RDN = `[a-z][a-z0-9-]*=${VALUE}(?: ${VALUE})*`
const PLAIN = new RegExp(`^${PLAIN_RDN}(?:,${PLAIN_RDN})*$`, 'i')
const HEX = /^#(?:[0-9a-f]{2})+$/i
/** Above the length of any real DN. Servers are untrusted, and a message of theirs may contain 16 million characters. */
const MAX_CHARACTERS = 8_192

/**
 * Returns the normalized form of a distinguished name (RFC 4514) for comparisons: trimmed, in lower case, with collapsed spaces, uniform
 * escapes and sorted attributes of each RDN.
 * @returns undefined if it is malformed or longer than 8,192 characters
 */
export function normalizeDn(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  if (PLAIN.test(text)) return text.toLowerCase()
  const rdns = parse(text)
  return rdns?.map((rdn) => rdn.map(([type, value]) => `${type}=${written(value)}`).join('+')).join(',')
}

/** Returns whether the string is a non-empty distinguished name. */
export const isDn = (text: string): boolean => (normalizeDn(text) ?? '') !== ''

function parse(text: string): Rdn[] | undefined {
  if (text.trim() === '') return []
  const rdns: Rdn[] = []
  for (const part of split(text, /[,;]/)) {
    const pairs: Rdn = []
    for (const pair of split(part, /\+/)) {
      const at = pair.indexOf('=')
      const type = pair
        .slice(0, Math.max(at, 0))
        .trim()
        .toLowerCase()
        .replace(/^oid\./, '')
      const value = at === -1 ? undefined : comparedValue(pair.slice(at + 1))
      if (!TYPE.test(type) || value === undefined) return undefined
      pairs.push([type, value])
    }
    rdns.push(pairs.toSorted(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b))))
  }
  return rdns
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Splits at separators that are neither escaped nor quoted. */
function split(text: string, at: RegExp): string[] {
  const parts: string[] = []
  let part = ''
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const letter = text[index] ?? ''
    if (letter === '\\') part += letter + (text[++index] ?? '')
    else if (!quoted && at.test(letter)) {
      parts.push(part)
      part = ''
    } else {
      if (letter === '"') quoted = !quoted
      part += letter
    }
  }
  return [...parts, part]
}

/** Returns the normalized value without escapes; undefined for an invalid escape. */
function comparedValue(written: string): string | undefined {
  const text = withoutSpace(written)
  if (HEX.test(text)) return text.toLowerCase()
  const quoted = /^"(.*)"$/s.exec(text)?.[1]
  const bytes: Buffer[] = []
  const plain = quoted ?? text
  for (let index = 0; index < plain.length; index++) {
    const letter = plain[index] ?? ''
    if (letter !== '\\') {
      const point = String.fromCodePoint(plain.codePointAt(index) ?? 0)
      bytes.push(Buffer.from(point))
      index += point.length - 1
      continue
    }
    const hex = /^[0-9a-f]{2}/i.exec(plain.slice(index + 1, index + 3))?.[0]
    const next = plain[index + 1]
    if (next === undefined) return undefined
    bytes.push(hex ? Buffer.from(hex, 'hex') : Buffer.from(next))
    index += hex ? 2 : 1
  }
  return Buffer.concat(bytes).toString('utf8').normalize('NFC').toLowerCase().replace(/ +/g, ' ').trim()
}

/** Trims a value. An escaped trailing space is preserved after its backslash. */
function withoutSpace(written: string): string {
  const text = written.trim()
  let backslashes = 0
  while (text[text.length - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1 && !written.endsWith(text) ? `${text} ` : text
}

/** Escapes a value (RFC 4514 section 2.4). */
const written = (value: string): string =>
  HEX.test(value) ? value : value.replace(/[\\",+;<>=#\0]/g, (letter) => `\\${letter === '\0' ? '00' : letter}`)
