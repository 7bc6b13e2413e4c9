import type { Element } from '@xmldom/xmldom'
import { NS } from './names.js'
import { attributesOf, childNodes, isElement, isText } from './xml-tree.js'

/** Namespaces by their prefixes, and what is around them: not copied, because a message may have many of them at many elements. */
interface Namespaces {
  own: ReadonlyMap<string, string>
  outer: Namespaces | undefined
}

/**
 * Exclusive XML Canonicalization 1.0 without comments, of an element and what is in it.
 *
 * Ours, and not a library's: it is short, and nothing rests on its being right. Whoever verifies a signature reads nothing but this text
 * afterwards, whose digest the signer has signed; a mistake here can only refuse what is right.
 * @param without a child that is left out (the enveloped signature)
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
  const scope = inside(around, declaredBy(element))
  const attributes = attributesOf(element).filter(({ namespaceURI }) => namespaceURI !== NS.xmlns)
  const used = new Set([
    element.prefix ?? '',
    ...attributes.map(({ prefix }) => prefix).filter((prefix) => prefix !== null && prefix !== ''),
    ...inclusive.filter((prefix) => lookUp(scope, prefix) !== undefined),
  ])
  const declarations = [...used]
    .filter((prefix): prefix is string => prefix !== null && prefix !== 'xml')
    .filter((prefix) => (lookUp(scope, prefix) ?? '') !== (lookUp(rendered, prefix) ?? ''))
    .sort(byText)
    .map((prefix) => [prefix, lookUp(scope, prefix) ?? ''] as const)
  const now = inside(rendered, declarations)
  const tag = element.tagName
  const head = [
    ...declarations.map(([prefix, value]) => ` xmlns${prefix && `:${prefix}`}="${escapeAttribute(value)}"`),
    ...attributes
      .sort(
        (a, b) => byText(a.namespaceURI ?? '', b.namespaceURI ?? '') || byText(a.localName ?? '', b.localName ?? ''),
      )
      .map(({ name, value }) => ` ${name}="${escapeAttribute(value)}"`),
  ].join('')
  const content = childNodes(element)
    .filter((node) => node !== without)
    .map((node) => {
      if (isElement(node)) return render(node, scope, now, without, inclusive)
      return isText(node) ? escapeText(node.nodeValue ?? '') : ''
    })
    .join('')
  return `<${tag}${head}>${content}</${tag}>`
}

/** What is in scope at an element by what stands around it. */
function namespacesAround(element: Element): Namespaces | undefined {
  const parent = element.parentNode
  return parent && isElement(parent) ? inside(namespacesAround(parent), declaredBy(parent)) : undefined
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

const declaredBy = (element: Element): [string, string][] =>
  attributesOf(element)
    .filter(({ namespaceURI }) => namespaceURI === NS.xmlns)
    .map(({ prefix, localName, value }) => [prefix ? (localName ?? '') : '', value])

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#xD;')

const escapeAttribute = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#x9;')
    .replaceAll('\n', '&#xA;')
    .replaceAll('\r', '&#xD;')
