import type { Attr, Element, Node } from '@xmldom/xmldom'

const ELEMENT = 1
const TEXT = 3
const CDATA = 4

export const isElement = (node: Node): node is Element => node.nodeType === ELEMENT

/** Text or CDATA. */
export const isText = (node: Node): boolean => node.nodeType === TEXT || node.nodeType === CDATA

/** Follows the links between nodes, because the parser's lists are slow to iterate and a message may have thousands. */
export function childElements(element: Element): Element[] {
  const elements: Element[] = []
  for (let node = element.firstChild; node; node = node.nextSibling) if (isElement(node)) elements.push(node)
  return elements
}

export function attributesOf({ attributes }: Element): Attr[] {
  const list: Attr[] = []
  for (let at = 0; at < attributes.length; at += 1) list.push(attributes.item(at) as Attr)
  return list
}

export const isNamed = (element: Element, namespace: string, name: string): boolean =>
  element.namespaceURI === namespace && element.localName === name

export const childrenNamed = (element: Element, namespace: string, name: string): Element[] =>
  childElements(element).filter((child) => isNamed(child, namespace, name))

/** Returns the first child with that name, where the schema allows one and a second one would only be ignored. */
export function childNamed(element: Element, namespace: string, name: string): Element | undefined {
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (isElement(node) && isNamed(node, namespace, name)) return node
  return undefined
}

/** Returns an attribute without a namespace, as all SAML attributes are; undefined if it is absent. */
export const attribute = (element: Element, name: string): string | undefined =>
  element.getAttributeNodeNS(null, name)?.value ?? undefined

/** Returns all text inside, not cut off at a comment. */
export function textOf(element: Element): string {
  let text = ''
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (isElement(node)) text += textOf(node)
    else if (isText(node)) text += node.nodeValue ?? ''
  }
  return text
}

/** Returns the text without surrounding white space, which pretty printers add. */
export const trimmedTextOf = (element: Element | undefined): string | undefined => element && textOf(element).trim()

/** Returns the element and all elements inside it, in an unspecified order. */
export function elementsIn(element: Element): Element[] {
  const found = [element]
  // The loop also visits the elements that are pushed meanwhile.
  for (const one of found)
    for (let node = one.firstChild; node; node = node.nextSibling) if (isElement(node)) found.push(node)
  return found
}

/** Reads an xs:boolean attribute; absent means false. */
export const isFlag = (element: Element, name: string): boolean =>
  ['true', '1'].includes(attribute(element, name) ?? '')
