/**
 * Escapes a value for the content of an HTML element or a quoted attribute. Escapes line breaks and tabs too, because an HTML parser normalizes
 * line breaks, which would change the value of a form field.
 */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'\r\n\t]/g, (character) => `&#${character.charCodeAt(0)};`)
