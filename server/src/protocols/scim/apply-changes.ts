import type { Attribute } from './attribute.js'
import { changeList } from './change-list.js'
import { leafOf, type Target } from './find-target.js'
import type { Change } from './read-operations.js'
import { hasValue, readParts, readValue, withValue } from './read-value.js'
import { KINDS, type ResourceKind, topAttributes } from './resource-kinds.js'
import { isList, isObject, type ScimObject, type ScimValue } from './scim-object.js'
import { settleList } from './value-list.js'
import { Work } from './work.js'

const own = (object: ScimObject, name: string): ScimValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

const ownObject = (object: ScimObject, name: string): ScimObject => {
  const found = own(object, name)
  return isObject(found) ? found : {}
}

/** A resource after changes, which is another object. @throws {ScimFault} `tooMany` where they take too much work together */
export function applyChanges(kind: ResourceKind, resource: ScimObject, changes: readonly Change[]): ScimObject {
  const work = new Work()
  return settle(
    kind,
    changes.reduce((before, change) => applyChange(before, change, work), resource),
  )
}

function applyChange(resource: ScimObject, change: Change, work: Work): ScimObject {
  const { path } = change
  if ('extension' in path) return withValue(resource, path.extension, undefined)
  const { extension, attribute } = path.target
  const container = extension ? ownObject(resource, extension) : resource
  const value = changeAttribute(own(container, attribute.name), path.target, change, work)
  const changed = withValue(container, attribute.name, value)
  return extension ? withValue(resource, extension, changed) : changed
}

function changeAttribute(
  old: ScimValue | undefined,
  target: Target,
  change: Change,
  work: Work,
): ScimValue | undefined {
  const { attribute, sub, path } = target
  const { op, value } = change
  if (attribute.multiValued) {
    const filter = 'filter' in change.path ? change.path.filter : undefined
    const source = 'source' in change.path ? change.path.source : undefined
    return changeList(isList(old) ? old : [], { attribute, sub, filter, path, source }, change, work)
  }
  if (op === 'remove' && !sub) return undefined
  const parts = isObject(old) ? old : {}
  if (sub) {
    const part = op === 'remove' ? undefined : readValue(leafOf(target), value, path)
    // What else is known of it was said of another value.
    return withValue(sub.name === 'value' && parts.value !== part ? {} : parts, sub.name, part)
  }
  if (attribute.type !== 'complex') return readValue(attribute, value, path)
  return changeParts(parts, attribute, value, path)
}

/** The parts that are sent take the place of those that were; the others stay, unless they say something of a `value` that goes. */
function changeParts(old: ScimObject, attribute: Attribute, value: unknown, path: string): ScimValue | undefined {
  const one = isList(value) && value.length <= 1 ? (value[0] ?? null) : value
  if (one === null || one === '') return undefined
  return readParts(attribute, one, path).reduce<ScimObject>(
    (parts, [{ name }, part]) => withValue(parts, name, part),
    hasValue(attribute) ? {} : old,
  )
}

/** What is kept in the end: no empty objects, no lists with what is nothing, and the schemas that it has attributes of. */
function settle(kind: ResourceKind, resource: ScimObject): ScimObject {
  const { core, extension } = KINDS[kind]
  const stored: Record<string, ScimValue> = { ...settleAttributes(topAttributes(kind), resource) }
  const more = extension ? settleAttributes(extension.attributes, ownObject(resource, extension.id)) : {}
  const isExtended = extension !== undefined && Object.keys(more).length > 0
  if (isExtended) stored[extension.id] = more
  return { ...stored, schemas: isExtended ? [core.id, extension.id] : [core.id] }
}

function settleAttributes(attributes: readonly Attribute[], container: ScimObject): ScimObject {
  const stored: Record<string, ScimValue> = {}
  for (const attribute of attributes) {
    const value = settleValue(attribute, own(container, attribute.name))
    if (value !== undefined) stored[attribute.name] = value
  }
  return stored
}

function settleValue(attribute: Attribute, value: ScimValue | undefined): ScimValue | undefined {
  // What only we write is as whoever keeps the resource says.
  if (value === undefined || attribute.mutability === 'readOnly') return value
  if (attribute.multiValued) return settleList(attribute, isList(value) ? value : [])
  return isObject(value) && Object.keys(value).length === 0 ? undefined : value
}
