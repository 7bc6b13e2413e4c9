import common from '../../messages/en/common.json'

const locale = 'en'
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const relativeShort = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
const exactToSecond = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** Returns a time such as "3 hours ago". @param timestamp ISO 8601 */
export const relativeTime = (timestamp: string, now = Date.now()): string => formatted(relative, timestamp, now)

/** Returns a time such as "3 hr ago", for a narrow column. @param timestamp ISO 8601 */
export const shortRelativeTime = (timestamp: string, now = Date.now()): string =>
  formatted(relativeShort, timestamp, now).replace('.', '')

function formatted(format: Intl.RelativeTimeFormat, timestamp: string, now: number): string {
  const seconds = Math.round((Date.parse(timestamp) - now) / 1000)
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit)
  }
  return common.justNow()
}

/** Returns date and time to the minute. @param timestamp ISO 8601 */
export function exactTime(timestamp: string): string {
  return exact.format(new Date(timestamp))
}

/** Returns date and time to the second, which distinguishes the sessions of a device. @param timestamp ISO 8601 */
export function exactSecond(timestamp: string): string {
  return exactToSecond.format(new Date(timestamp))
}

/** Returns a date such as "Dec 1, 2026". @param timestamp ISO 8601 */
export function exactDate(timestamp: string): string {
  return date.format(new Date(timestamp))
}

/** Returns a range such as "Dec 1, 2026 – Jan 5, 2027"; of less than a day, with times. @param from ISO 8601 */
export function timeRange(from: string, to: string): string {
  const [start, end] = [new Date(from), new Date(to)]
  return (date.format(start) === date.format(end) ? exact : date).formatRange(start, end)
}

/** Returns a remaining time such as "4:59". */
export function countdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
