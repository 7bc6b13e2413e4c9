/**
 * One line of visible text, as names and single attributes must be: no line breaks, no control, bidirectional or other invisible
 * characters, which would forge lines in mails and logs or reverse what a page shows. As a JSON Schema pattern.
 */
export const SINGLE_LINE = '^(?=.*\\S)[^\\p{C}\\p{Zl}\\p{Zp}]+$'

/** The same, or blank: a form sends an empty string for a name that was left out. */
export const SINGLE_LINE_OR_BLANK = '^[^\\p{C}\\p{Zl}\\p{Zp}]*$'

const PATTERN = new RegExp(SINGLE_LINE, 'u')

/** Returns whether a string that no schema has validated is one line of visible text. */
export const isSingleLine = (text: string): boolean => PATTERN.test(text)
