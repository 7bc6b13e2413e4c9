import type { Attribute } from './attribute.js'
import type { Filter } from './filter.js'
import { matchingValue } from './matches.js'
import type { Change } from './read-operations.js'
import { readParts, readValue, readValues, withValue } from './read-value.js'
import { fault } from './scim-fault.js'
import { isList, isObject, type ScimObject, type ScimValue } from './scim-object.js'
import { addValues, mergeEqual, preferOne, withoutValues } from './value-list.js'
import type { Work } from './work.js'

/** A place in a list of values. */
interface Place {
  attribute: Attribute
  sub: Attribute | undefined
  filter: Filter | undefined
  /** How it is called in a refusal. */
  path: string
  /** The same with its filter, as it was sent. */
  source: string | undefined
}

/**
 * A list of values after a change to it (RFC 7644, sections 3.5.2.1 to 3.5.2.3). Beside the standard: `remove` takes away the values that
 * are sent, where some are (Entra), and `add` to values that no filter finds makes the one that the filter describes (Entra).
 * @throws {ScimFault} `noTarget` where a filter finds nothing to replace; `invalidValue`; `tooMany` where it takes too much work
 */
export function changeList(values: readonly ScimValue[], place: Place, { op, value }: Change, work: Work): ScimValue[] {
  const { attribute, sub, filter, path, source } = place
  if (!filter && !sub) {
    const sent = value === undefined || value === null ? undefined : readValues(attribute, value, path)
    if (op === 'add') return addValues(attribute, values, sent ?? [], work)
    if (op === 'replace') return addValues(attribute, [], sent ?? [], work)
    return sent ? withoutValues(attribute, values, sent, work) : []
  }
  const found = filter ? values.filter(matchingValue(filter, work)) : values
  if (op === 'remove') {
    const chosen = new Set(found)
    const left = values.flatMap((one) => (chosen.has(one) ? removePart(one, sub) : [one]))
    return mergeEqual(attribute, left, work)
  }
  if (found.length === 0) {
    if (filter && op === 'replace') throw fault('noTarget', `No value is found by “${source}”.`)
    const made = changeValue(filter ? describedBy(filter) : {}, place, op, value)
    return made ? addValues(attribute, values, [made], work) : [...values]
  }
  const changed = new Map(found.map((one) => [one, changeValue(isObject(one) ? one : {}, place, op, value)]))
  const after = values.flatMap((one) => (changed.has(one) ? (changed.get(one) ?? []) : [one]))
  return preferOne(
    attribute,
    mergeEqual(attribute, after, work),
    [...changed.values()].filter((one) => one !== undefined),
    work,
  )
}

function removePart(value: ScimValue, sub: Attribute | undefined): ScimValue[] {
  return sub && isObject(value) ? [withValue(value, sub.name, undefined)] : []
}

/** One value of the list with what was sent; undefined where nothing is left of it. */
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
 * The value that a filter of equalities describes.
 * @throws {ScimFault} `noTarget` for any other filter
 */
function describedBy(filter: Filter): ScimObject {
  if (filter.op === 'and') return Object.assign({}, ...filter.filters.map(describedBy))
  const sub = filter.op === 'eq' ? filter.target.sub : undefined
  if (filter.op !== 'eq' || !sub || sub.mutability === 'readOnly' || filter.value instanceof Date)
    throw fault('noTarget', 'No value is found by the path, and none is described by it.')
  const value = readValue(sub, filter.value, filter.target.path)
  return value === undefined ? {} : { [sub.name]: value }
}
