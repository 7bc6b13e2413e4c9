import { parseTimestamp } from '../../platform/timestamps.js'
import { type Address, parseAddress } from './address-range.js'
import { once } from './once.js'
import { type WallTime, wallTime } from './time-window.js'

/** The attributes of a request: `ipAddress`, `userAgent`, `geoLocation`, `timestamp` and any keys of the team. */
export type Context = Readonly<Record<string, unknown>>

export interface Violation {
  /** JSON pointer within the validated value. */
  path: string
  message: string
}

/** Escapes a key for a JSON pointer (RFC 6901 3). */
export const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** Items of a list, and characters of JSON of the context: every policy of a team may read each of them. */
const MAX_ITEMS = 100
const MAX_CONTEXT = 16_384

/** ISO 3166-1 alpha-2, optionally with an ISO 3166-2 subdivision. A country name would match no condition without an error. */
const PLACE = /^[a-z]{2}(-[a-z\d]{1,3})?$/i

/** Returns the country of a location: `DE`, or the part before the hyphen of a subdivision (`US-CA`, ISO 3166-2). */
const countryOf = (place: string): string => (place.split('-', 1)[0] ?? '').trim().toUpperCase()

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** Returns the violations of the size limits and of the keys with a defined format; null counts as absent. */
export function contextErrors(context: Context): Violation[] {
  if (JSON.stringify(context).length > MAX_CONTEXT)
    return [{ path: '', message: `must not be longer than ${MAX_CONTEXT} characters of JSON` }]
  const violations: Violation[] = Object.entries(context)
    .filter(([, value]) => Array.isArray(value) && value.length > MAX_ITEMS)
    .map(([key]) => ({ path: `/${pointerPart(key)}`, message: `must not have more than ${MAX_ITEMS} items` }))
  const verify = (key: string, isRight: (text: string) => boolean, message: string) => {
    const value = context[key]
    if (!isAbsent(value) && !(typeof value === 'string' && isRight(value)))
      violations.push({ path: `/${key}`, message })
  }
  verify('ipAddress', (text) => parseAddress(text) !== undefined, 'must be an IPv4 or IPv6 address')
  verify('userAgent', () => true, 'must be a string')
  verify('geoLocation', (text) => PLACE.test(text), 'must be a country code such as DE, or a subdivision such as US-CA')
  verify('timestamp', (text) => parseTimestamp(text) !== undefined, 'must be a date or time in ISO 8601')
  return violations
}

/** A context with lazily computed values, each computed once. */
export class ContextReader {
  private readonly lists = new Map<string, ReadonlySet<unknown>>()
  private readonly times = new Map<string, WallTime>()
  private readonly facts = new Map<string, unknown>()

  constructor(private readonly context: Context) {}

  has(key: string): boolean {
    return Object.hasOwn(this.context, key)
  }

  /** Returns undefined if the key is missing. */
  value(key: string): unknown {
    return this.has(key) ? this.context[key] : undefined
  }

  /** Returns the items if the value is a list, else undefined. */
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

  /** Returns the local time in the zone at the timestamp. */
  timeIn(zone: string): WallTime | undefined {
    const timestamp = once(this.facts, 'timestamp', () => parseTimestamp(this.text('timestamp') ?? ''))
    return timestamp === undefined ? undefined : once(this.times, zone, () => wallTime(timestamp, zone))
  }

  private text(key: string): string | undefined {
    const value = this.value(key)
    return typeof value === 'string' ? value : undefined
  }
}
