/** A text of one line with something in it that can be seen, and nothing in it that cannot. */
export const ONE_LINE = '^(?=.*\\S)[^\\p{C}\\p{Zl}\\p{Zp}]+$'

/** SAML Core 8.3.6. */
export const LONGEST_ENTITY_ID = 1_024

const PATTERN = new RegExp(ONE_LINE, 'u')

/** Whether metadata name an entity as somebody who writes it by hand might. */
export const isEntityId = (text: string): boolean => [...text].length <= LONGEST_ENTITY_ID && PATTERN.test(text)
