import { once } from './once.js'

/** A part of the day on some days of the week, in the local time of a zone. */
export interface TimeWindow {
  /** Minutes since midnight; the start is inclusive, the end exclusive. */
  start: number
  end: number
  /** Whether the window starts on each day of the week, 0 = Sunday. */
  days: readonly boolean[]
  /** IANA name as returned by `zoneNamed`. */
  zone: string
}

/** A local time. */
export interface WallTime {
  /** Since midnight. */
  minute: number
  /** 0 = Sunday. */
  day: number
}

const CLOCK_TIME = /^([01]\d|2[0-3]):([0-5]\d)$/
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/
const DAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const SHORT_NAMES = DAY_NAMES.map((name) => name.slice(0, 3))

/** Parses `09:00` to minutes since midnight; an end may be `24:00`. */
export const parseClockTime = (value: unknown, { isEnd }: { isEnd: boolean }): number | undefined => {
  if (typeof value !== 'string') return undefined
  if (isEnd && value === '24:00') return 24 * 60
  const parts = CLOCK_TIME.exec(value)
  return parts ? Number(parts[1]) * 60 + Number(parts[2]) : undefined
}

/**
 * Parses an English name, full or abbreviated to three letters, in any case, or a number: 1 = Monday to 7 = Sunday (ISO 8601), 0 =
 * Sunday.
 */
export const parseDay = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value <= 7 ? value % 7 : undefined
  if (typeof value !== 'string') return undefined
  const name = value.toLowerCase()
  const day = Math.max(DAY_NAMES.indexOf(name), SHORT_NAMES.indexOf(name))
  return day < 0 ? undefined : day
}

/** By lower-case name, bounded by the zones of the platform. A lookup takes as long as a hundred other conditions. */
const zones = new Map<string, string>()

/** Returns the canonical name of the zone; names are case-insensitive, and some zones have several. Undefined if it is unknown. */
export function zoneNamed(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 100 || !ZONE_NAME.test(value)) return undefined
  const name = value.toLowerCase()
  const known = zones.get(name)
  if (known !== undefined) return known
  try {
    const zone = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
    zones.set(name, zone)
    return zone
  } catch {
    return undefined
  }
}

/** Creating one takes longer than a thousand uses. Bounded by the number of zones, because their names are canonical. */
const clocks = new Map<string, Intl.DateTimeFormat>()

const clockOf = (zone: string): Intl.DateTimeFormat =>
  once(
    clocks,
    zone,
    () =>
      new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }),
  )

const DAY = 86_400_000

/** @param at milliseconds since the epoch. @param zone as returned by `zoneNamed` */
export function wallTime(at: number, zone: string): WallTime {
  if (zone === 'UTC') {
    const days = Math.floor(at / DAY)
    // 1 January 1970 was a Thursday.
    return { minute: Math.floor((at - days * DAY) / 60_000), day: (((days + 4) % 7) + 7) % 7 }
  }
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of clockOf(zone).formatToParts(at)) parts[type] = value
  return {
    minute: Number(parts.hour) * 60 + Number(parts.minute),
    day: SHORT_NAMES.indexOf((parts.weekday ?? '').toLowerCase()),
  }
}

/** A window whose end precedes its start spans midnight, and belongs as a whole to the day on which it starts. */
export function isWithin({ start, end, days }: TimeWindow, { minute, day }: WallTime): boolean {
  if (start < end) return days[day] === true && minute >= start && minute < end
  if (minute >= start) return days[day] === true
  return minute < end && days[(day + 6) % 7] === true
}
