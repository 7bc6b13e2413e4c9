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

/** Whether XML can represent a string: no control characters, no unpaired surrogates. */
export const isWritable = (text: string): boolean =>
  text.isWellFormed() && [...text].every((character) => isXmlCharacter(character.codePointAt(0) ?? 0))

/**
 * Escapes a value for an attribute or for text. Characters that XML cannot represent are removed, so call `isWritable` first for a value
 * that must not change, such as a NameID.
 */
export const escapeXml = (value: string): string =>
  [...value]
    .filter((character) => isXmlCharacter(character.codePointAt(0) ?? 0))
    .map((character) => ESCAPES[character] ?? character)
    .join('')

/** Returns the attributes of a tag; those without a value are omitted. */
export const attributesXml = (attributes: Record<string, string | number | boolean | undefined>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
