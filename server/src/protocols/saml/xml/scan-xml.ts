/** Size limit of XML, before and after inflation. */
export const MAX_XML_LENGTH = 262_144
const DEEPEST = 64
/** Elements, comments and CDATA sections: each costs the parser 20 µs, in a message that is read up to three times. */
const MAX_NODES = 3_000
const MAX_ATTRIBUTES = 8_000
const MAX_ATTRIBUTES_PER_ELEMENT = 500

/** Forbidden characters in well-formed Unicode. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches them on purpose
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const DECLARATION = /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(["'])1\.0\1([^?<>]*)\?>/y
const ENCODING = /encoding[ \t\r\n]*=[ \t\r\n]*["']([^"']*)["']/
const TAG_NAME = /<[^ \t\r\n<>/="'&!?]+/y
const ATTRIBUTE = /[ \t\r\n]+[^ \t\r\n<>/="'&]+[ \t\r\n]*=[ \t\r\n]*(?:"[^"<]*"|'[^'<]*')/y
const TAG_END = /[ \t\r\n]*(\/?)>/y
const REFERENCE = /&(?:amp|lt|gt|quot|apos|#([0-9]{1,7})|#x([0-9a-fA-F]{1,6}));/y

/** The counts that the parser must find. */
export interface XmlCounts {
  elements: number
  attributes: number
}

/**
 * Checks XML before it is parsed. Rejects everything except elements, attributes, text and comments (document types, entities, processing
 * instructions), and documents that would keep the parser busy. It does not check whether the tags match; the parser does.
 */
export function scanXml(text: string): XmlCounts | { violation: string } {
  if (text.length > MAX_XML_LENGTH) return { violation: `the message is longer than ${MAX_XML_LENGTH / 1024} kB` }
  if (!text.isWellFormed() || FORBIDDEN.test(text)) return { violation: 'a character that is not allowed in XML' }
  const counts = { elements: 0, attributes: 0 }
  const violation = scanTags(text, counts)
  return violation ? { violation } : counts
}

function scanTags(text: string, counts: XmlCounts): string | undefined {
  let at = 0
  let depth = 0
  let sections = 0
  while (at < text.length) {
    const open = text.indexOf('<', at)
    const violation = violationOfText(text.slice(at, open === -1 ? text.length : open), depth)
    if (violation) return violation
    if (open === -1) break
    if (text.startsWith('<!--', open)) {
      const end = text.indexOf('--', open + 4)
      if (end === -1 || text[end + 2] !== '>') return 'a comment that does not end'
      sections += 1
      at = end + 3
    } else if (text.startsWith('<![CDATA[', open)) {
      const end = text.indexOf(']]>', open)
      if (end === -1 || depth === 0) return 'a CDATA section at an unexpected place'
      sections += 1
      at = end + 3
    } else if (text.startsWith('<!', open)) {
      return 'a document type declaration'
    } else if (text.startsWith('<?', open)) {
      const end = open === 0 ? endOfDeclaration(text) : undefined
      if (end === undefined) return 'a processing instruction, or an encoding that is not UTF-8'
      at = end
    } else if (text.startsWith('</', open)) {
      const end = text.indexOf('>', open)
      if (end === -1 || depth === 0) return 'an end tag without its start'
      depth -= 1
      at = end + 1
    } else {
      const tag = startTagAt(text, open)
      if (typeof tag === 'string') return tag
      counts.elements += 1
      counts.attributes += tag.attributes
      if (depth + 1 > DEEPEST) return `elements nested deeper than ${DEEPEST}`
      if (!tag.empty) depth += 1
      at = tag.end
    }
    if (counts.elements + sections > MAX_NODES) return `more than ${MAX_NODES} elements, comments and sections`
    if (counts.attributes > MAX_ATTRIBUTES) return `more than ${MAX_ATTRIBUTES} attributes`
  }
  return undefined
}

function startTagAt(text: string, open: number): { end: number; empty: boolean; attributes: number } | string {
  let at = matchAt(TAG_NAME, text, open)?.end
  if (at === undefined) return 'a tag without a name'
  let attributes = 0
  for (let next = matchAt(ATTRIBUTE, text, at); next; next = matchAt(ATTRIBUTE, text, at)) {
    attributes += 1
    if (attributes > MAX_ATTRIBUTES_PER_ELEMENT)
      return `more than ${MAX_ATTRIBUTES_PER_ELEMENT} attributes in an element`
    const violation = violationOfReferences(text.slice(at, next.end))
    if (violation) return violation
    at = next.end
  }
  const close = matchAt(TAG_END, text, at)
  return close ? { end: close.end, empty: close.groups[1] === '/', attributes } : 'a tag that is not well-formed'
}

function endOfDeclaration(text: string): number | undefined {
  const declaration = matchAt(DECLARATION, text, 0)
  if (!declaration) return undefined
  const encoding = ENCODING.exec(declaration.groups[2] ?? '')?.[1]
  return encoding === undefined || encoding.toLowerCase() === 'utf-8' ? declaration.end : undefined
}

function violationOfText(text: string, depth: number): string | undefined {
  if (depth === 0 && /[^ \t\r\n]/.test(text)) return 'text outside of the root element'
  if (text.includes(']]>')) return 'the end of a CDATA section without its start'
  return violationOfReferences(text)
}

/** Allows only the five predefined entities, and references to characters that are allowed in XML. */
function violationOfReferences(text: string): string | undefined {
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    const reference = matchAt(REFERENCE, text, at)
    if (!reference) return 'an entity'
    const [, decimal, hexadecimal] = reference.groups
    const number = decimal ?? hexadecimal
    if (number !== undefined && !isXmlCharacter(Number.parseInt(number, decimal === undefined ? 16 : 10)))
      return 'a character that is not allowed in XML'
  }
  return undefined
}

/** XML 1.0, 2.2. */
export const isXmlCharacter = (code: number): boolean =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff)

function matchAt(sticky: RegExp, text: string, at: number): { end: number; groups: RegExpExecArray } | undefined {
  sticky.lastIndex = at
  const groups = sticky.exec(text)
  return groups ? { end: sticky.lastIndex, groups } : undefined
}
