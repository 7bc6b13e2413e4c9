import type { Attr, Element } from '@xmldom/xmldom'
import { NS } from './names.js'
import { attributesOf, isElement, isText } from './xml-tree.js'

/**
 * The namespaces in scope by prefix. Links to the enclosing scope instead of copying it, because a message may declare many namespaces at
 * many elements.
 */
interface Namespaces {
  own: ReadonlyMap<string, string>
  outer: Namespaces | undefined
}

/**
 * Returns the Exclusive XML Canonicalization 1.0 of an element, without comments.
 *
 * Not security-critical: `verifySignature` reads only the canonical text whose digest is signed. A bug can make the service reject valid
 * signatures or create invalid ones, but never accept a forged one.
 * @param without a child to leave out (the enveloped signature)
 * @param inclusive prefixes that are rendered wherever they are in scope (the PrefixList; '' is the default namespace)
 */
export function canonicalize(element: Element, without?: Element, inclusive: readonly string[] = []): string {
  return render(element, inheritedNamespaces(element), undefined, without, inclusive)
}

/**
 * Returns the canonical form of the element and its content.
 * @param inherited the namespaces that the element inherits from its ancestors
 * @param rendered the namespaces that the output already declares for the enclosing elements
 */
function render(
  element: Element,
  inherited: Namespaces | undefined,
  rendered: Namespaces | undefined,
  without: Element | undefined,
  inclusive: readonly string[],
): string {
  const { declared, attributes } = attributesIn(element)
  const scope = extendScope(inherited, declared)
  const renderedHere = extendScope(rendered, declarationsOf(element, attributes, scope, rendered, inclusive))
  const tag = element.tagName
  let text = `<${tag}`
  if (renderedHere && renderedHere !== rendered)
    for (const [prefix, value] of renderedHere.own)
      text += ` xmlns${prefix && `:${prefix}`}="${escapeAttribute(value)}"`
  if (attributes.length > 1)
    attributes.sort(
      (a, b) =>
        byCodeUnit(a.namespaceURI ?? '', b.namespaceURI ?? '') || byCodeUnit(a.localName ?? '', b.localName ?? ''),
    )
  for (const { name, value } of attributes) text += ` ${name}="${escapeAttribute(value)}"`
  text += '>'
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node === without) continue
    if (isElement(node)) text += render(node, scope, renderedHere, without, inclusive)
    else if (isText(node)) text += escapeText(node.nodeValue ?? '')
  }
  return `${text}</${tag}>`
}

/** Returns the sorted declarations that an element needs and that no enclosing element has rendered. */
function declarationsOf(
  { prefix: ownPrefix }: Element,
  attributes: readonly Attr[],
  scope: Namespaces | undefined,
  rendered: Namespaces | undefined,
  inclusive: readonly string[],
): (readonly [string, string])[] {
  const used = [ownPrefix ?? '']
  for (const { prefix } of attributes) if (prefix) used.push(prefix)
  for (const prefix of inclusive) if (lookUp(scope, prefix) !== undefined) used.push(prefix)
  // Fast path: most elements need no new declaration.
  const missing = used.filter(
    (prefix) => prefix !== 'xml' && (lookUp(scope, prefix) ?? '') !== (lookUp(rendered, prefix) ?? ''),
  )
  return missing.length === 0
    ? NONE
    : [...new Set(missing)].sort(byCodeUnit).map((prefix) => [prefix, lookUp(scope, prefix) ?? ''] as const)
}

const NONE: (readonly [string, string])[] = []

/** Splits the attributes of an element into namespace declarations and others. */
function attributesIn(element: Element): { declared: [string, string][]; attributes: Attr[] } {
  const declared: [string, string][] = []
  const attributes: Attr[] = []
  for (const attribute of attributesOf(element)) {
    const { namespaceURI, prefix, localName, value } = attribute
    if (namespaceURI === NS.xmlns) declared.push([prefix ? (localName ?? '') : '', value])
    else attributes.push(attribute)
  }
  return { declared, attributes }
}

/** Returns the namespaces that the element inherits from its ancestors. */
function inheritedNamespaces(element: Element): Namespaces | undefined {
  const parent = element.parentNode
  return parent && isElement(parent)
    ? extendScope(inheritedNamespaces(parent), attributesIn(parent).declared)
    : undefined
}

const extendScope = (
  outer: Namespaces | undefined,
  declarations: readonly (readonly [string, string])[],
): Namespaces | undefined => (declarations.length === 0 ? outer : { own: new Map(declarations), outer })

function lookUp(namespaces: Namespaces | undefined, prefix: string): string | undefined {
  for (let scope = namespaces; scope; scope = scope.outer) {
    const found = scope.own.get(prefix)
    if (found !== undefined) return found
  }
  return undefined
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const escapeText = (text: string): string =>
  /[&<>\r]/.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#xD;')
    : text

const escapeAttribute = (text: string): string =>
  /[&<"\t\n\r]/.test(text)
    ? text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('"', '&quot;')
        .replaceAll('\t', '&#x9;')
        .replaceAll('\n', '&#xA;')
        .replaceAll('\r', '&#xD;')
    : text
