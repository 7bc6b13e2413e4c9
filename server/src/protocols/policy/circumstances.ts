import { parseTimestamp } from '../../platform/timestamps.js'
import { type Address, parseAddress } from './address-range.js'
import { type WallTime, wallTime } from './time-window.js'

/** What is known of the moment that is decided about: `ipAddress`, `userAgent`, `geoLocation`, `timestamp` and whatever a team adds. */
export type Context = Readonly<Record<string, unknown>>

export interface Fault {
  /** The place within what was judged, as a JSON pointer. */
  path: string
  message: string
}

/** A key as a part of a JSON pointer (RFC 6901 3). */
export const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** Items of a list, and characters of JSON of a whole context: every policy of a team may ask for each of them. */
const MAX_ITEMS = 100
const MAX_CONTEXT = 16_384

/** ISO 3166-1 alpha-2, with the subdivision of ISO 3166-2 or without. A name of a country would pass every condition unseen. */
const PLACE = /^[a-z]{2}(-[a-z\d]{1,3})?$/i

/** The country of a place: `DE`, or the part before the hyphen of a subdivision (`US-CA`, ISO 3166-2). */
const countryOf = (place: string): string => (place.split('-', 1)[0] ?? '').trim().toUpperCase()

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** What is wrong with the size, and with the keys whose meaning is known; null is as good as absent. */
export function contextFaults(context: Context): Fault[] {
  if (JSON.stringify(context).length > MAX_CONTEXT)
    return [{ path: '', message: `must not be longer than ${MAX_CONTEXT} characters of JSON` }]
  const faults: Fault[] = Object.entries(context)
    .filter(([, value]) => Array.isArray(value) && value.length > MAX_ITEMS)
    .map(([key]) => ({ path: `/${pointerPart(key)}`, message: `must not have more than ${MAX_ITEMS} items` }))
  const verify = (key: string, isRight: (text: string) => boolean, message: string) => {
    const value = context[key]
    if (!isAbsent(value) && !(typeof value === 'string' && isRight(value))) faults.push({ path: `/${key}`, message })
  }
  verify('ipAddress', (text) => parseAddress(text) !== undefined, 'must be an IPv4 or IPv6 address')
  verify('userAgent', () => true, 'must be a string')
  verify('geoLocation', (text) => PLACE.test(text), 'must be a country code such as DE, or a subdivision such as US-CA')
  verify('timestamp', (text) => parseTimestamp(text) !== undefined, 'must be a date or time in ISO 8601')
  return faults
}

/** A context with what is read from it, each thing once, when a condition asks for it first. */
export class Circumstances {
  private readonly lists = new Map<string, ReadonlySet<unknown>>()
  private readonly times = new Map<string, WallTime>()
  private readonly facts = new Map<string, unknown>()

  constructor(private readonly context: Context) {}

  has(key: string): boolean {
    return Object.hasOwn(this.context, key)
  }

  /** Undefined where the key is missing. */
  value(key: string): unknown {
    return this.has(key) ? this.context[key] : undefined
  }

  /** The items where the key has a list, else undefined. */
  list(key: string): ReadonlySet<unknown> | undefined {
    const value = this.value(key)
    return Array.isArray(value) ? once(this.lists, key, () => new Set<unknown>(value)) : undefined
  }

  get address(): Address | undefined {
    return once(this.facts, 'address', () => parseAddress(this.text('ipAddress') ?? ''))
  }

  get country(): string | undefined {
    return once(this.facts, 'country', () => {
      const place = this.text('geoLocation')
      return place === undefined ? undefined : countryOf(place)
    })
  }

  /** What a clock in the zone showed at the timestamp. */
  timeIn(zone: string): WallTime | undefined {
    const timestamp = once(this.facts, 'moment', () => parseTimestamp(this.text('timestamp') ?? ''))
    return timestamp === undefined ? undefined : once(this.times, zone, () => wallTime(timestamp, zone))
  }

  private text(key: string): string | undefined {
    const value = this.value(key)
    return typeof value === 'string' ? value : undefined
  }
}

/** What was read before under the name, and undefined too; else what is read now. */
export function once<T>(known: Map<string, unknown>, name: string, read: () => T): T {
  if (!known.has(name)) known.set(name, read())
  return known.get(name) as T
}
