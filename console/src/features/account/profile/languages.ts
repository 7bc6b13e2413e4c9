/** The languages that the profile offers (BCP 47). */
const TAGS = [
  'ar',
  'bg',
  'ca',
  'cs',
  'da',
  'de',
  'de-AT',
  'de-CH',
  'el',
  'en',
  'en-AU',
  'en-CA',
  'en-GB',
  'en-US',
  'es',
  'es-MX',
  'et',
  'fi',
  'fr',
  'fr-CA',
  'fr-CH',
  'he',
  'hi',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'nb',
  'nl',
  'nl-BE',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sk',
  'sl',
  'sr',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh-Hans',
  'zh-Hant',
]

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code', languageDisplay: 'standard' })

/** Returns the English name of a language, or the tag if it has none. */
function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    // The service accepts tags that are not well-formed.
    return tag
  }
}

/** Returns the options of a select, sorted by name. @param stored the tag of the profile, which becomes an option if it is none */
export function languageOptions(stored: string | null): { value: string; label: string }[] {
  const tags = stored && !TAGS.includes(stored) ? [...TAGS, stored] : TAGS
  return tags
    .map((value) => ({ value, label: languageName(value) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'))
}
