import type { Attr, Element, Node } from '@xmldom/xmldom'

const ELEMENT = 1
const TEXT = 3
const CDATA = 4

export const isElement = (node: Node): node is Element => node.nodeType === ELEMENT

/** Text, whichever way it was written. */
export const isText = (node: Node): boolean => node.nodeType === TEXT || node.nodeType === CDATA

/** By the links between them: the lists of the parser are slow to go through, and a message may have thousands. */
export function childNodes(element: Element): Node[] {
  const nodes: Node[] = []
  for (let node = element.firstChild; node; node = node.nextSibling) nodes.push(node)
  return nodes
}

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

/** The first child of that name: for what a schema has at most once and where a second one would only be left unread. */
export function childNamed(element: Element, namespace: string, name: string): Element | undefined {
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (isElement(node) && isNamed(node, namespace, name)) return node
  return undefined
}

/** An attribute without a namespace, as all of SAML's are; undefined when it is absent. */
export const attribute = (element: Element, name: string): string | undefined =>
  element.getAttributeNodeNS(null, name)?.value ?? undefined

/** All text inside, with nothing cut off at a comment. */
export function textOf(element: Element): string {
  let text = ''
  for (const node of childNodes(element)) {
    if (isElement(node)) text += textOf(node)
    else if (isText(node)) text += node.nodeValue ?? ''
  }
  return text
}

/** Text without the white space that printers of XML put around it. */
export const trimmedTextOf = (element: Element | undefined): string | undefined => element && textOf(element).trim()

/** The element and all elements inside it, in no order that means anything. */
export function elementsIn(element: Element): Element[] {
  const found = [element]
  // What is pushed meanwhile is visited too.
  for (const one of found)
    for (let node = one.firstChild; node; node = node.nextSibling) if (isElement(node)) found.push(node)
  return found
}

/** An attribute of the type xs:boolean; absent is false. */
export const isFlag = (element: Element, name: string): boolean =>
  ['true', '1'].includes(attribute(element, name) ?? '')
