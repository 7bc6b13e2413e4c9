import { DOMParser, type Element } from '@xmldom/xmldom'
import { NS } from './names.js'
import { scanXml, type XmlCounts } from './scan-xml.js'
import { attributesOf, childElements } from './xml-tree.js'

/** The root of a document, or why it is rejected. */
export type ReadXml = { root: Element } | { violation: string }

/** Decodes UTF-8; byte order marks and declarations of other encodings are not followed. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Parses XML without document type, entities and processing instructions, with namespaces (Namespaces in XML 1.0). Every warning of the
 * parser is a rejection, because another parser might interpret the repaired part differently.
 */
export function readXml(text: string): ReadXml {
  const counts = scanXml(text)
  if ('violation' in counts) return counts
  const root = parse(text)
  if (!root) return { violation: 'the XML is not well-formed' }
  const violation = violationOfTree(root, counts)
  return violation ? { violation } : { root }
}

function parse(text: string): Element | null {
  try {
    return new DOMParser({
      locator: false,
      // XML 1.0, 2.11: the parser's default follows XML 1.1, which would change two more characters.
      normalizeLineEndings: (source) => source.replaceAll('\r\n', '\n').replaceAll('\r', '\n'),
      onError: (level, message) => {
        // This character is harmless: the input was already decoded as UTF-8.
        if (level === 'warning' && message.startsWith('Unicode replacement character')) return
        throw new Error(`${level}: ${message}`)
      },
    }).parseFromString(text, 'text/xml').documentElement
  } catch {
    return null
  }
}

/** Checks that all prefixes have namespaces and that the parser dropped nothing: of two equal attributes it keeps the last one. */
function violationOfTree(root: Element, counts: XmlCounts): string | undefined {
  let elements = 0
  let attributes = 0
  const open = [root]
  for (let element = open.pop(); element; element = open.pop()) {
    elements += 1
    attributes += element.attributes.length
    if (element.prefix && !element.namespaceURI) return 'a prefix without a namespace'
    for (const { prefix, localName, namespaceURI, value } of attributesOf(element)) {
      if (prefix && !namespaceURI) return 'a prefix without a namespace'
      if (namespaceURI === NS.xmlns && !isAllowedDeclaration(prefix ? (localName ?? '') : '', value))
        return 'a namespace declaration that is not allowed'
    }
    open.push(...childElements(element))
  }
  if (attributes !== counts.attributes) return 'two attributes of one name'
  return elements === counts.elements ? undefined : 'the XML is not well-formed'
}

/** Namespaces in XML 1.0, 3 and 2.2: a prefix cannot be undeclared, and two prefixes are reserved. */
function isAllowedDeclaration(prefix: string, value: string): boolean {
  if (prefix === 'xmlns' || value === NS.xmlns) return false
  if ((prefix === 'xml') !== (value === NS.xml)) return false
  return prefix === '' || value !== ''
}
