/**
 * The content security policy allows no style attributes in HTML. The server moves them to a style element with a nonce, as one rule each;
 * this moves them back before the page is hydrated, by the object model, which the policy allows.
 */
const ATTRIBUTE = 'data-style'
const ELEMENT = 'rendered-styles'

const entities: Record<string, string> = { '&quot;': '"', '&#x27;': "'", '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/**
 * Moves the style attributes of React's HTML, in which quotation marks are attribute delimiters only.
 * @throws if a declaration could end its rule or the element
 */
export function moveStyles(html: string, nonce: string): string {
  const rules = new Map<string, number>()
  // Whole attributes: the value of another one may end like the beginning of this one.
  const moved = html.replace(/ ([\w:-]+)="([^"]*)"/g, (attribute, name: string, escaped: string) => {
    if (name !== 'style') return attribute
    const declarations = escaped.replace(/&(?:quot|#x27|amp|lt|gt);/g, (entity) => entities[entity] ?? entity)
    if (/[<>{}]/.test(declarations)) throw new Error('Unexpected character in a style')
    const index = rules.get(declarations) ?? rules.size
    rules.set(declarations, index)
    return ` ${ATTRIBUTE}="${index}"`
  })
  const css = [...rules].map(([declarations, index]) => `#root [${ATTRIBUTE}="${index}"]{${declarations}}`).join('')
  return `<style id="${ELEMENT}" nonce="${nonce}">${css}</style><div id="root">${moved}</div>`
}

/** Moves the declarations back to the elements. */
export function applyRenderedStyles(root: HTMLElement): void {
  const element = document.getElementById(ELEMENT) as HTMLStyleElement | null
  const rules = element?.sheet?.cssRules
  for (const styled of root.querySelectorAll<HTMLElement>(`[${ATTRIBUTE}]`)) {
    const rule = rules?.[Number(styled.getAttribute(ATTRIBUTE))] as CSSStyleRule | undefined
    if (rule) styled.style.cssText = rule.style.cssText
    styled.removeAttribute(ATTRIBUTE)
  }
  element?.remove()
}
