import { isCountryCode } from '../../platform/geo/country-codes.js'
import { inRange, parseRange } from './address-range.js'
import { type ContextReader, pointerPart, type Violation } from './context.js'
import { isWithin, parseClockTime, parseDay, type TimeWindow, zoneNamed } from './time-window.js'

/** Conditions as written: `ipRange`, `geoLocations`, `timeWindow`, and keys of the team. All must hold. */
export type Conditions = Readonly<Record<string, unknown>>

/** One condition, compiled. */
export interface Condition {
  key: string
  /** The context key that it reads; if that is missing, it does not hold. */
  contextKey: string
  holds(reader: ContextReader): boolean
}

const MAX_KEYS = 50
const MAX_KEY_LENGTH = 100
const MAX_VALUES = 100
const MAX_VALUE_LENGTH = 500

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** Parses each value of a list, or the single value, and reports the invalid ones. */
function readAll<T>(path: string, value: unknown, read: (item: unknown) => T | undefined, message: string) {
  const violations: Violation[] = []
  const items = listOf(value)
  // Rejected before parsing: a megabyte of invalid items would be reported item by item.
  if (items.length === 0 || items.length > MAX_VALUES)
    return { values: [], violations: [{ path, message: `must be one value or a list of 1 to ${MAX_VALUES}` }] }
  const values = items.flatMap((item, index) => {
    const known = read(item)
    if (known !== undefined) return [known]
    violations.push({ path: Array.isArray(value) ? `${path}/${index}` : path, message })
    return []
  })
  return { values, violations }
}

interface Reading {
  condition: Condition
  violations: Violation[]
}

function readAddresses(path: string, value: unknown): Reading {
  const read = (item: unknown) => (typeof item === 'string' ? parseRange(item) : undefined)
  const { values, violations } = readAll(path, value, read, 'must be an address or a CIDR block, of IPv4 or IPv6')
  const holds = ({ address }: ContextReader) => address !== undefined && values.some((range) => inRange(address, range))
  return { condition: { key: 'ipRange', contextKey: 'ipAddress', holds }, violations }
}

function readCountries(path: string, value: unknown): Reading {
  const read = (item: unknown) => (isCountryCode(item) ? item.toUpperCase() : undefined)
  const { values, violations } = readAll(path, value, read, 'must be a country code of ISO 3166-1, such as DE')
  const countries = new Set(values)
  const holds = ({ country }: ContextReader) => country !== undefined && countries.has(country)
  return { condition: { key: 'geoLocations', contextKey: 'geoLocation', holds }, violations }
}

const EVERY_DAY: readonly unknown[] = [0, 1, 2, 3, 4, 5, 6]

function readTimeWindow(path: string, value: unknown): Reading {
  const violations: Violation[] = []
  const wrong = (at: string, message: string) => void violations.push({ path: `${path}${at}`, message })
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject) wrong('', 'must be an object {start, end, days?, timezone?}')
  const { start, end, days = EVERY_DAY, timezone = 'UTC' } = (isObject ? value : {}) as Record<string, unknown>

  const from = parseClockTime(start, { isEnd: false })
  const to = parseClockTime(end, { isEnd: true })
  const zone = zoneNamed(timezone)
  if (isObject && from === undefined) wrong('/start', 'must be a time of day, from 00:00 to 23:59')
  if (isObject && to === undefined) wrong('/end', 'must be a time of day, from 00:00 to 24:00')
  if (from !== undefined && from === to) wrong('/end', 'must not be the start; a whole day is 00:00 to 24:00')
  if (zone === undefined) wrong('/timezone', 'must be a time zone of the IANA database, such as Europe/Berlin')

  const known = Array.isArray(days) && days.length > 0 && days.length <= 14 ? days.map(parseDay) : [undefined]
  if (known.includes(undefined))
    wrong('/days', 'must be a list of days: MON to SUN, or 1 (Monday) to 7 (Sunday, which 0 is too)')
  const window: TimeWindow = {
    start: from ?? 0,
    end: to ?? 0,
    days: EVERY_DAY.map((_, day) => known.includes(day)),
    zone: zone ?? 'UTC',
  }
  const holds = (reader: ContextReader) => {
    const time = reader.timeIn(window.zone)
    return time !== undefined && isWithin(window, time)
  }
  return { condition: { key: 'timeWindow', contextKey: 'timestamp', holds }, violations }
}

type Scalar = string | number | boolean | null

const isScalar = (value: unknown): value is Scalar =>
  value === null ||
  (typeof value === 'string' && value.length <= MAX_VALUE_LENGTH) ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

/** Matches the value or one of the list; of a list in the context one item suffices. A missing key does not equal null. */
function readCustom(key: string, path: string, value: unknown): Reading {
  // Wrapped in an array, because null is a valid value and undefined means unreadable.
  const read = (item: unknown): [Scalar] | undefined => (isScalar(item) ? [item] : undefined)
  const message = `must be a string of at most ${MAX_VALUE_LENGTH} characters, a number, true, false or null, or a list of such`
  const { values, violations } = readAll(path, value, read, message)
  const holds = values.length === 1 ? isOrHas(key, values[0]?.[0]) : isOneOf(key, new Set(values.map(([item]) => item)))
  return { condition: { key, contextKey: key, holds }, violations }
}

/** Equals `isOneOf` with one value, in a tenth of the memory: most conditions have one, and a team may have half a million. */
const isOrHas =
  (key: string, wanted: Scalar | undefined): Condition['holds'] =>
  (reader) => {
    if (!reader.has(key)) return false
    const list = reader.list(key)
    return list ? list.has(wanted) : reader.value(key) === wanted
  }

const isOneOf =
  (key: string, wanted: ReadonlySet<unknown>): Condition['holds'] =>
  (reader) => {
    if (!reader.has(key)) return false
    const list = reader.list(key)
    return list ? haveCommon(list, wanted) : wanted.has(reader.value(key))
  }

function haveCommon(one: ReadonlySet<unknown>, other: ReadonlySet<unknown>): boolean {
  const [small, large] = one.size < other.size ? [one, other] : [other, one]
  for (const item of small) if (large.has(item)) return true
  return false
}

const read = (key: string, path: string, value: unknown): Reading => {
  if (key === 'ipRange') return readAddresses(path, value)
  if (key === 'geoLocations') return readCountries(path, value)
  if (key === 'timeWindow') return readTimeWindow(path, value)
  return readCustom(key, path, value)
}

/** Returns the violations of conditions that are to be saved. @param path JSON pointer of the conditions in the request */
export function conditionErrors(conditions: Conditions, path: string): Violation[] {
  const entries = Object.entries(conditions)
  if (entries.length > MAX_KEYS) return [{ path, message: `must not have more than ${MAX_KEYS} keys` }]
  return entries.flatMap(([key, value]) =>
    key.length > MAX_KEY_LENGTH
      ? [{ path, message: `must not have a key of more than ${MAX_KEY_LENGTH} characters` }]
      : read(key, `${path}/${pointerPart(key)}`, value).violations,
  )
}

/**
 * @param unreadable whether a condition holds that this node cannot read, such as one with a time zone that its Node.js does not know: true
 *   for denying policies
 */
export function compileConditions(conditions: Conditions, unreadable: boolean): Condition[] {
  return Object.entries(conditions).map(([key, value]) => {
    const { condition, violations } = read(key, '', value)
    return violations.length === 0 ? condition : { ...condition, holds: () => unreadable }
  })
}
