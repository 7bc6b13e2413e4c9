const locale = 'en'
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** "3 hours ago". @param moment ISO 8601 */
export function relativeTime(moment: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(moment) - now) / 1000)
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit)
  }
  return 'just now'
}

/** Date and time to the minute. @param moment ISO 8601 */
export function exactTime(moment: string): string {
  return exact.format(new Date(moment))
}
