import { isSingleLine } from '../../platform/single-line.js'

/** SAML Core 8.3.6. */
export const LONGEST_ENTITY_ID = 1_024

/** Whether metadata name an entity as somebody who writes it by hand might. */
export const isEntityId = (text: string): boolean => [...text].length <= LONGEST_ENTITY_ID && isSingleLine(text)
