import type { Attribute } from './attribute.js'
import { rejectTooMany } from './list-limits.js'
import { hasValue, withValue } from './read-value.js'
import { fault } from './scim-fault.js'
import { isObject, type ScimObject, type ScimValue } from './scim-object.js'
import type { Work } from './work.js'

const partNamed = (attribute: Attribute, part: string): Attribute | undefined =>
  attribute.subAttributes?.find(({ name }) => name === part)

/** What makes a value of a list the same as another: the value and what it is for, of members the value alone, else all of it. */
function sameness(
  attribute: Attribute,
  value: ScimValue,
  work: Work,
  isTyped = partNamed(attribute, 'primary') !== undefined,
): string {
  if (!isObject(value) || typeof value.value !== 'string') {
    const all = JSON.stringify(value)
    work.spend(all.length)
    return all
  }
  work.spend(value.value.length)
  const own = partNamed(attribute, 'value')?.caseExact ? value.value : value.value.toLowerCase()
  return JSON.stringify(isTyped && typeof value.type === 'string' ? [own, value.type.toLowerCase()] : [own])
}

/** The values with more behind them; what is there already takes over the parts of the one that comes. */
export function addValues(
  attribute: Attribute,
  values: readonly ScimValue[],
  more: readonly ScimValue[],
  work: Work,
): ScimValue[] {
  const merged = mergeEqual(attribute, [...values, ...more], work)
  rejectTooMany(attribute, merged.length)
  return preferOne(attribute, merged, more, work)
}

/** The values, those that are the same as one: it has the parts of all of them, and of two of one name the later. */
export function mergeEqual(attribute: Attribute, values: readonly ScimValue[], work: Work): ScimValue[] {
  const byKey = new Map<string, ScimValue>()
  for (const value of values) {
    const key = sameness(attribute, value, work)
    const known = byKey.get(key)
    byKey.set(key, isObject(known) && isObject(value) ? { ...known, ...value } : value)
  }
  return [...byKey.values()]
}

/** The values without those that others name: by their value, and by what it is for where that is said, else by all that is said. */
export function withoutValues(
  attribute: Attribute,
  values: readonly ScimValue[],
  others: readonly ScimValue[],
  work: Work,
): ScimValue[] {
  const named = new Set(others.map((other) => sameness(attribute, other, work)))
  const vague = others
    .filter((other): other is ScimObject => isObject(other) && other.value === undefined)
    .map((other) => Object.entries(other))
  return values.filter(
    (value) =>
      !named.has(sameness(attribute, value, work)) &&
      !named.has(sameness(attribute, value, work, false)) &&
      !vague.some((other) => isObject(value) && other.every(([name, part]) => value[name] === part)),
  )
}

/**
 * One value at most is the one to prefer (RFC 7643, section 2.4): one that comes as such takes it from whichever was.
 * @param latest what came last, of which two at once are refused
 */
export function preferOne(
  attribute: Attribute,
  values: readonly ScimValue[],
  latest: readonly ScimValue[],
  work: Work,
): ScimValue[] {
  const keys = new Set(latest.filter(isPrimary).map((value) => sameness(attribute, value, work)))
  if (keys.size > 1) throw fault('invalidValue', `One of “${attribute.name}” at most is the primary one.`)
  if (keys.size === 0) return [...values]
  return values.map((value) =>
    isPrimary(value) && isObject(value) && !keys.has(sameness(attribute, value, work))
      ? withValue(value, 'primary', false)
      : value,
  )
}

const isPrimary = (value: ScimValue): boolean => isObject(value) && value.primary === true

/**
 * What is kept of a list in the end: of values that are nothing without their part `value`, those that have one; undefined for none.
 * @throws {ScimFault} `tooMany`; `invalidValue` where there are two to prefer
 */
export function settleList(attribute: Attribute, values: readonly ScimValue[]): ScimValue | undefined {
  const stored = hasValue(attribute)
    ? values.filter((value) => isObject(value) && value.value !== undefined)
    : values.filter((value) => !isObject(value) || Object.keys(value).length > 0)
  rejectTooMany(attribute, stored.length)
  if (stored.filter(isPrimary).length > 1)
    throw fault('invalidValue', `One of “${attribute.name}” at most is the primary one.`)
  return stored.length > 0 ? stored : undefined
}
