/** @param code ISO 3166-1 alpha-2 */
export function countryName(code: string): string {
  // Made here, not once for all: what runs when a module is loaded is loaded with the sign-in page.
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}
