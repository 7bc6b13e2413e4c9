/** One RDN: its pairs of attribute and value, in the order in which they are compared. */
type Rdn = [type: string, value: string][]

const TYPE = /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)*)$/
/** As nearly all names are written: nothing of it is escaped, and but for its capitals it is its own one spelling. */
const VALUE = "[a-z0-9._@'()/&:!*-]+"
const PLAIN_RDN = `[a-z][a-z0-9-]*=${VALUE}(?: ${VALUE})*`
const PLAIN = new RegExp(`^${PLAIN_RDN}(?:,${PLAIN_RDN})*$`, 'i')
const HEX = /^#(?:[0-9a-f]{2})+$/i
/** Far longer than any name of a directory; names are of strangers, and a message of theirs may hold sixteen million characters. */
const MOST_CHARACTERS = 8_192

/**
 * The one spelling of a distinguished name (RFC 4514) by which two of them are compared: without white space around, attributes and
 * values in lower case, runs of spaces as one, escapes undone and then written in one way, the pairs of an RDN in order.
 * @returns undefined for a text that is no distinguished name, or one of more than 8,192 characters
 */
export function normalizeDn(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return undefined
  if (PLAIN.test(text)) return text.toLowerCase()
  const rdns = parse(text)
  return rdns?.map((rdn) => rdn.map(([type, value]) => `${type}=${written(value)}`).join('+')).join(',')
}

/** Whether the text is a distinguished name, and not the empty one. */
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

/** Cuts at what is neither escaped nor quoted. */
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

/** A value without its escapes, as it is compared; undefined where an escape is none. */
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

/** Without the white space around, which stands for nothing unless it is escaped: then one of it stays behind its backslash. */
function withoutSpace(written: string): string {
  const text = written.trim()
  let backslashes = 0
  while (text[text.length - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1 && !written.endsWith(text) ? `${text} ` : text
}

/** RFC 4514 2.4. */
const written = (value: string): string =>
  HEX.test(value) ? value : value.replace(/[\\",+;<>=#\0]/g, (letter) => `\\${letter === '\0' ? '00' : letter}`)
