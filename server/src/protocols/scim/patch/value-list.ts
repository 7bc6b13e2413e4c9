import type { ComparisonBudget } from '../comparison-budget.js'
import { hasValue, rejectTooMany, withValue } from '../read-value.js'
import type { Attribute } from '../schema/attribute.js'
import { invalidRequest } from '../scim-error.js'
import { isObject, type ScimObject, type ScimValue } from '../scim-object.js'

const partNamed = (attribute: Attribute, part: string): Attribute | undefined =>
  attribute.subAttributes?.find(({ name }) => name === part)

/** Returns the identity of a value of a list: its `value` and `type`; of members the `value` only; otherwise the whole value. */
function identityOf(
  attribute: Attribute,
  value: ScimValue,
  budget: ComparisonBudget,
  isTyped = partNamed(attribute, 'primary') !== undefined,
): string {
  if (!isObject(value) || typeof value.value !== 'string') {
    const all = JSON.stringify(value)
    budget.spend(all.length)
    return all
  }
  budget.spend(value.value.length)
  const own = partNamed(attribute, 'value')?.caseExact ? value.value : value.value.toLowerCase()
  return JSON.stringify(isTyped && typeof value.type === 'string' ? [own, value.type.toLowerCase()] : [own])
}

/** Appends values; an equal existing value is merged with the new one. */
export function addValues(
  attribute: Attribute,
  values: readonly ScimValue[],
  more: readonly ScimValue[],
  budget: ComparisonBudget,
): ScimValue[] {
  const merged = mergeEqual(attribute, [...values, ...more], budget)
  rejectTooMany(attribute, merged.length)
  return keepOnePrimary(attribute, merged, more, budget)
}

/** Merges equal values; of sub-attributes with different values, the later one wins. */
export function mergeEqual(attribute: Attribute, values: readonly ScimValue[], budget: ComparisonBudget): ScimValue[] {
  const byKey = new Map<string, ScimValue>()
  for (const value of values) {
    const key = identityOf(attribute, value, budget)
    const known = byKey.get(key)
    byKey.set(key, isObject(known) && isObject(value) ? { ...known, ...value } : value)
  }
  return [...byKey.values()]
}

/** Removes the values that `others` identify: by `value`, and by `type` if it is given; otherwise by all given sub-attributes. */
export function withoutValues(
  attribute: Attribute,
  values: readonly ScimValue[],
  others: readonly ScimValue[],
  budget: ComparisonBudget,
): ScimValue[] {
  const named = new Set(others.map((other) => identityOf(attribute, other, budget)))
  const partial = others
    .filter((other): other is ScimObject => isObject(other) && other.value === undefined)
    .map((other) => Object.entries(other))
  return values.filter(
    (value) =>
      !named.has(identityOf(attribute, value, budget)) &&
      !named.has(identityOf(attribute, value, budget, false)) &&
      !partial.some((other) => isObject(value) && other.every(([name, part]) => value[name] === part)),
  )
}

/**
 * Ensures that at most one value is primary (RFC 7643 section 2.4): a new primary value replaces the previous one.
 * @param latest the new values, of which at most one may be primary
 */
export function keepOnePrimary(
  attribute: Attribute,
  values: readonly ScimValue[],
  latest: readonly ScimValue[],
  budget: ComparisonBudget,
): ScimValue[] {
  const keys = new Set(latest.filter(isPrimary).map((value) => identityOf(attribute, value, budget)))
  if (keys.size > 1) throw invalidRequest('invalidValue', `At most one of “${attribute.name}” may be primary.`)
  if (keys.size === 0) return [...values]
  return values.map((value) =>
    isPrimary(value) && isObject(value) && !keys.has(identityOf(attribute, value, budget))
      ? withValue(value, 'primary', false)
      : value,
  )
}

const isPrimary = (value: ScimValue): boolean => isObject(value) && value.primary === true

/**
 * Returns the final list without empty values; undefined if none is left. Values of attributes with a `value` sub-attribute must have
 * one.
 * @throws {ScimError} `tooMany`; `invalidValue` if two values are primary
 */
export function normalizeList(attribute: Attribute, values: readonly ScimValue[]): ScimValue | undefined {
  const stored = hasValue(attribute)
    ? values.filter((value) => isObject(value) && value.value !== undefined)
    : values.filter((value) => !isObject(value) || Object.keys(value).length > 0)
  rejectTooMany(attribute, stored.length)
  if (stored.filter(isPrimary).length > 1)
    throw invalidRequest('invalidValue', `At most one of “${attribute.name}” may be primary.`)
  return stored.length > 0 ? stored : undefined
}
