import type { ComparisonBudget } from '../comparison-budget.js'
import type { Filter } from '../filter/filter.js'
import { matchingValue } from '../filter/matches.js'
import { readParts, readValue, readValues, withValue } from '../read-value.js'
import type { Attribute } from '../schema/attribute.js'
import { invalidRequest } from '../scim-error.js'
import { isList, isObject, type ScimObject, type ScimValue } from '../scim-object.js'
import type { Change } from './read-operations.js'
import { addValues, keepOnePrimary, mergeEqual, withoutValues } from './value-list.js'

/** The part of a multi-valued attribute that a change affects. */
interface Place {
  attribute: Attribute
  sub: Attribute | undefined
  filter: Filter | undefined
  /** The path for error messages. */
  path: string
  /** The path as it was sent, with its filter. */
  source: string | undefined
}

/**
 * Applies a change to a multi-valued attribute (RFC 7644 sections 3.5.2.1 to 3.5.2.3). Deviations for Entra ID: `remove` with values
 * removes these only, and `add` with a filter that matches nothing creates the value that the filter describes.
 * @throws {ScimError} `noTarget` if a filter matches nothing to replace; `invalidValue`; `tooMany` if too many comparisons are required
 */
export function changeList(
  values: readonly ScimValue[],
  place: Place,
  { op, value }: Change,
  budget: ComparisonBudget,
): ScimValue[] {
  const { attribute, sub, filter, path, source } = place
  if (!filter && !sub) {
    const sent = value === undefined || value === null ? undefined : readValues(attribute, value, path)
    if (op === 'add') return addValues(attribute, values, sent ?? [], budget)
    if (op === 'replace') return addValues(attribute, [], sent ?? [], budget)
    return sent ? withoutValues(attribute, values, sent, budget) : []
  }
  const found = filter ? values.filter(matchingValue(filter, budget)) : values
  if (op === 'remove') {
    const chosen = new Set(found)
    const left = values.flatMap((one) => (chosen.has(one) ? removePart(one, sub) : [one]))
    return mergeEqual(attribute, left, budget)
  }
  if (found.length === 0) {
    if (filter && op === 'replace') throw invalidRequest('noTarget', `No value matches “${source}”.`)
    const made = changeValue(filter ? valueDescribedBy(filter) : {}, place, op, value)
    return made ? addValues(attribute, values, [made], budget) : [...values]
  }
  const changed = new Map(found.map((one) => [one, changeValue(isObject(one) ? one : {}, place, op, value)]))
  const after = values.flatMap((one) => (changed.has(one) ? (changed.get(one) ?? []) : [one]))
  return keepOnePrimary(
    attribute,
    mergeEqual(attribute, after, budget),
    [...changed.values()].filter((one) => one !== undefined),
    budget,
  )
}

function removePart(value: ScimValue, sub: Attribute | undefined): ScimValue[] {
  return sub && isObject(value) ? [withValue(value, sub.name, undefined)] : []
}

/** Changes one value of the list; returns undefined if it is removed. */
function changeValue(
  old: ScimObject,
  { attribute, sub, path }: Place,
  op: 'add' | 'replace',
  value: unknown,
): ScimObject | undefined {
  if (sub) return withValue(old, sub.name, readValue(sub, value, path))
  if (value === null) return undefined
  const one = isList(value) && value.length === 1 ? value[0] : value
  return readParts(attribute, one, path).reduce<ScimObject>(
    (parts, [{ name }, part]) => withValue(parts, name, part),
    op === 'add' ? old : {},
  )
}

/**
 * Returns the value that a filter of equalities describes.
 * @throws {ScimError} `noTarget` for any other filter
 */
function valueDescribedBy(filter: Filter): ScimObject {
  if (filter.op === 'and') return Object.assign({}, ...filter.filters.map(valueDescribedBy))
  const sub = filter.op === 'eq' ? filter.target.sub : undefined
  if (filter.op !== 'eq' || !sub || sub.mutability === 'readOnly' || filter.value instanceof Date)
    throw invalidRequest('noTarget', 'No value matches the path, and its filter does not describe a new value.')
  const value = readValue(sub, filter.value, filter.target.path)
  return value === undefined ? {} : { [sub.name]: value }
}
