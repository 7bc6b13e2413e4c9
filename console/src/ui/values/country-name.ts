/** Returns the English name of a country. @param code ISO 3166-1 alpha-2 */
export function countryName(code: string): string {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}
