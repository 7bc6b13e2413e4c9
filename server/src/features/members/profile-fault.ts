import { isSingleLine } from '../../platform/single-line.js'

/** What a team writes about a person, with the most characters that each may have. */
const LONGEST = {
  firstName: 100,
  lastName: 100,
  department: 100,
  title: 100,
  phone: 50,
  locale: 35,
  externalId: 255,
} as const

/**
 * Why a text cannot be this field of a profile, as what it must be; undefined when it can. For texts that no schema has judged: those of
 * lists and of other services.
 */
export function profileFault(field: keyof typeof LONGEST, text: string): string | undefined {
  if ([...text].length > LONGEST[field]) return `must have at most ${LONGEST[field]} characters`
  if (!isSingleLine(text)) return 'must be one line of text'
  return field === 'locale' && !isLocale(text) ? 'must be a language tag (BCP 47), such as de-AT' : undefined
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
