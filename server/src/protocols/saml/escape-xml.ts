import { isXmlCharacter } from './scan-xml.js'

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

/** Whether XML can carry a text: no control characters, no half of a surrogate pair. */
export const isWritable = (text: string): boolean =>
  text.isWellFormed() && [...text].every((character) => isXmlCharacter(character.codePointAt(0) ?? 0))

/**
 * A value for an attribute or for text, which reads back equal. Characters that XML cannot carry in any spelling are left out: whoever
 * writes what must not change (a name that identifies) asks `isWritable` before.
 */
export const escapeXml = (value: string): string =>
  [...value]
    .filter((character) => isXmlCharacter(character.codePointAt(0) ?? 0))
    .map((character) => ESCAPES[character] ?? character)
    .join('')

/** Attributes of a tag; those without a value are left out. */
export const attributesXml = (attributes: Record<string, string | number | boolean | undefined>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
