const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/

/** Returns a SAML timestamp (Core 1.3.3) in milliseconds; without a zone it is UTC. Returns undefined for any other string. */
export function readInstant(text: string | undefined): number | undefined {
  const zone = INSTANT.exec(text?.trim() ?? '')
  if (!zone) return undefined
  const instant = Date.parse(zone[1] === undefined ? `${zone[0]}Z` : zone[0])
  return Number.isNaN(instant) ? undefined : instant
}

const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/
const MINUTE = 60_000
const DAY = 1_440 * MINUTE

/** Returns an XML Schema duration (3.3.6) in milliseconds, with months of 30 days. Returns undefined if it is invalid or negative. */
export function readDuration(text: string): number | undefined {
  const parts = DURATION.exec(text.trim())?.slice(1)
  if (!parts?.some((part) => part !== undefined)) return undefined
  const lengths = [365 * DAY, 30 * DAY, DAY, 60 * MINUTE, MINUTE, 1_000]
  const total = parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (lengths[index] ?? 0), 0)
  return Number.isSafeInteger(total) ? total : undefined
}

/** Formats the difference to now: `+600 s` is ten minutes in the future. */
export function distance(instant: number, now: number): string {
  const seconds = Math.round((instant - now) / 1_000)
  return `${seconds < 0 ? '' : '+'}${seconds} s`
}

/** Formats a duration for people: `10 minutes`. */
export function inWords(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1_000)
  const [size, unit] = UNITS.find(([least]) => seconds >= least * 2) ?? [1, 'second']
  const count = Math.round(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const UNITS: [size: number, unit: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]

export const writeInstant = (time: number): string => new Date(time).toISOString()
