/**
 * JSON Schema pattern of one line of visible text, for names and single attributes: no line breaks and no control, bidirectional
 * or other invisible characters, which could forge lines in mails and logs or reverse the text of a page.
 */
export const SINGLE_LINE = '^(?=.*\\S)[^\\p{C}\\p{Zl}\\p{Zp}]+$'

/** Like `SINGLE_LINE`, or blank: a form sends an empty string for an omitted name. */
export const SINGLE_LINE_OR_BLANK = '^[^\\p{C}\\p{Zl}\\p{Zp}]*$'

const PATTERN = new RegExp(SINGLE_LINE, 'u')

/** Returns whether a string that no schema has validated is one line of visible text. */
export const isSingleLine = (value: string): boolean => PATTERN.test(value)
