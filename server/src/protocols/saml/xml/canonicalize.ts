import type { Attr, Element } from '@xmldom/xmldom'
import { NS } from './names.js'
import { attributesOf, isElement, isText } from './xml-tree.js'

/** Namespaces by prefix, linked to the enclosing ones instead of copied, because a message may have many of them at many elements. */
interface Namespaces {
  own: ReadonlyMap<string, string>
  outer: Namespaces | undefined
}

/**
 * Returns the Exclusive XML Canonicalization 1.0 of an element, without comments.
 *
 * Our own implementation, because it is short and its correctness is not critical: a verifier reads only this output, whose digest is
 * signed. A bug can only reject a valid signature.
 * @param without a child to leave out (the enveloped signature)
 * @param inclusive prefixes that are rendered wherever they are in scope (the PrefixList; '' is the default namespace)
 */
export function canonicalize(element: Element, without?: Element, inclusive: readonly string[] = []): string {
  return render(element, namespacesAround(element), undefined, without, inclusive)
}

function render(
  element: Element,
  around: Namespaces | undefined,
  rendered: Namespaces | undefined,
  without: Element | undefined,
  inclusive: readonly string[],
): string {
  const { declared, plain } = attributesIn(element)
  const scope = inside(around, declared)
  const now = inside(rendered, declarationsOf(element, plain, scope, rendered, inclusive))
  const tag = element.tagName
  let text = `<${tag}`
  if (now && now !== rendered)
    for (const [prefix, value] of now.own) text += ` xmlns${prefix && `:${prefix}`}="${escapeAttribute(value)}"`
  if (plain.length > 1)
    plain.sort(
      (a, b) => byText(a.namespaceURI ?? '', b.namespaceURI ?? '') || byText(a.localName ?? '', b.localName ?? ''),
    )
  for (const { name, value } of plain) text += ` ${name}="${escapeAttribute(value)}"`
  text += '>'
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node === without) continue
    if (isElement(node)) text += render(node, scope, now, without, inclusive)
    else if (isText(node)) text += escapeText(node.nodeValue ?? '')
  }
  return `${text}</${tag}>`
}

/** Returns the sorted declarations that an element needs and that no enclosing element has rendered. */
function declarationsOf(
  { prefix: own }: Element,
  plain: readonly Attr[],
  scope: Namespaces | undefined,
  rendered: Namespaces | undefined,
  inclusive: readonly string[],
): (readonly [string, string])[] {
  const used = [own ?? '']
  for (const { prefix } of plain) if (prefix) used.push(prefix)
  for (const prefix of inclusive) if (lookUp(scope, prefix) !== undefined) used.push(prefix)
  // Most elements have the namespace of their parent.
  const missing = used.filter(
    (prefix) => prefix !== 'xml' && (lookUp(scope, prefix) ?? '') !== (lookUp(rendered, prefix) ?? ''),
  )
  return missing.length === 0
    ? NONE
    : [...new Set(missing)].sort(byText).map((prefix) => [prefix, lookUp(scope, prefix) ?? ''] as const)
}

const NONE: (readonly [string, string])[] = []

/** Splits the attributes of an element into namespace declarations and others. */
function attributesIn(element: Element): { declared: [string, string][]; plain: Attr[] } {
  const declared: [string, string][] = []
  const plain: Attr[] = []
  for (const attribute of attributesOf(element)) {
    const { namespaceURI, prefix, localName, value } = attribute
    if (namespaceURI === NS.xmlns) declared.push([prefix ? (localName ?? '') : '', value])
    else plain.push(attribute)
  }
  return { declared, plain }
}

/** Returns the namespaces in scope around an element. */
function namespacesAround(element: Element): Namespaces | undefined {
  const parent = element.parentNode
  return parent && isElement(parent) ? inside(namespacesAround(parent), attributesIn(parent).declared) : undefined
}

const inside = (
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

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

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
