import { type Address, parseAddress } from './address-range.js'
import { countryOf } from './country-codes.js'
import { type WallTime, wallTime } from './time-window.js'

/** What is known of the moment that is decided about: `ipAddress`, `userAgent`, `geoLocation`, `timestamp` and whatever a team adds. */
export type Context = Readonly<Record<string, unknown>>

export interface Fault {
  /** The place within what was judged, as a JSON pointer. */
  path: string
  message: string
}

const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Milliseconds since the epoch; without a zone the time is UTC. @returns undefined for any other text, and for a day that no calendar has */
export function parseMoment(text: string): number | undefined {
  if (!ISO_8601.test(text)) return undefined
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text.slice(0, 10))) return undefined
  const moment = Date.parse(text.length === 10 || /(Z|[+-]\d\d:?\d\d)$/.test(text.slice(10)) ? text : `${text}Z`)
  return Number.isNaN(moment) ? undefined : moment
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** What is wrong with the keys whose meaning is known; null is as good as absent. */
export function contextFaults(context: Context): Fault[] {
  const faults: Fault[] = []
  const judge = (key: string, isRight: (text: string) => boolean, message: string) => {
    const value = context[key]
    if (!isAbsent(value) && !(typeof value === 'string' && isRight(value))) faults.push({ path: `/${key}`, message })
  }
  judge('ipAddress', (text) => parseAddress(text) !== undefined, 'must be an IPv4 or IPv6 address')
  judge('userAgent', () => true, 'must be a string')
  judge('geoLocation', () => true, 'must be a string: a country code such as DE, or a subdivision such as US-CA')
  judge('timestamp', (text) => parseMoment(text) !== undefined, 'must be a date or time in ISO 8601')
  return faults
}

/** A context with what is read from it, each thing when a condition asks for it first. */
export class Circumstances {
  private readAddress: Address | null | undefined
  private readMoment: number | null | undefined
  private readonly times = new Map<string, WallTime>()

  constructor(private readonly context: Context) {}

  has(key: string): boolean {
    return Object.hasOwn(this.context, key)
  }

  /** Undefined where the key is missing. */
  value(key: string): unknown {
    return this.has(key) ? this.context[key] : undefined
  }

  private text(key: string): string | undefined {
    const value = this.value(key)
    return typeof value === 'string' ? value : undefined
  }

  get address(): Address | undefined {
    this.readAddress ??= parseAddress(this.text('ipAddress') ?? '') ?? null
    return this.readAddress ?? undefined
  }

  get country(): string | undefined {
    const place = this.text('geoLocation')
    return place === undefined ? undefined : countryOf(place)
  }

  /** What a clock in the zone showed at the timestamp. */
  timeIn(zone: string): WallTime | undefined {
    this.readMoment ??= parseMoment(this.text('timestamp') ?? '') ?? null
    if (this.readMoment === null) return undefined
    let time = this.times.get(zone)
    if (!time) {
      time = wallTime(this.readMoment, zone)
      this.times.set(zone, time)
    }
    return time
  }
}
