import { isSingleLine } from '../../platform/single-line.js'

/** Maximum lengths of the profile fields that a team stores, in characters. */
const MAX_LENGTHS = {
  firstName: 100,
  lastName: 100,
  department: 100,
  title: 100,
  phone: 50,
  locale: 35,
  externalId: 255,
} as const

/**
 * Returns why a value is invalid for the profile field, as a phrase that begins with "must"; undefined if it is valid. For values from CSV
 * files and other services, which no schema has validated.
 */
export function profileViolation(field: keyof typeof MAX_LENGTHS, value: string): string | undefined {
  if ([...value].length > MAX_LENGTHS[field]) return `must have at most ${MAX_LENGTHS[field]} characters`
  if (!isSingleLine(value)) return 'must be a single line'
  return field === 'locale' && !isLocale(value) ? 'must be a language tag (BCP 47), such as de-AT' : undefined
}

function isLocale(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false
  }
}
