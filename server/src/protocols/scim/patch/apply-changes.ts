import { ComparisonBudget } from '../comparison-budget.js'
import { hasValue, readParts, readValue, withValue } from '../read-value.js'
import type { Attribute } from '../schema/attribute.js'
import { leafOf, type Target } from '../schema/find-target.js'
import { KINDS, type ResourceKind, topAttributes } from '../schema/resource-kinds.js'
import { invalidRequest } from '../scim-error.js'
import { isList, isObject, own, type ScimObject, type ScimValue } from '../scim-object.js'
import { changeList } from './change-list.js'
import type { Change } from './read-operations.js'
import { normalizeList } from './value-list.js'

const ownObject = (object: ScimObject, name: string): ScimObject => {
  const found = own(object, name)
  return isObject(found) ? found : {}
}

/** Returns a new resource with the changes applied. @throws {ScimError} `tooMany` if they require too many comparisons */
export function applyChanges(kind: ResourceKind, resource: ScimObject, changes: readonly Change[]): ScimObject {
  const budget = new ComparisonBudget()
  const changed = changes.reduce((before, change) => applyChange(before, change, budget), resource)
  return normalize(kind, changed)
}

/** Verifies that required attributes remain (RFC 7644 section 3.5.2.2). @throws {ScimError} `mutability` if one was removed */
export function verifyRequired(kind: ResourceKind, before: ScimObject, after: ScimObject): void {
  for (const { name, required } of KINDS[kind].core.attributes)
    if (required && Object.hasOwn(before, name) && !Object.hasOwn(after, name))
      throw invalidRequest('mutability', `“${name}” is required.`)
}

function applyChange(resource: ScimObject, change: Change, budget: ComparisonBudget): ScimObject {
  const { path } = change
  if ('extension' in path) return withValue(resource, path.extension, undefined)
  const { extension, attribute } = path.target
  const container = extension ? ownObject(resource, extension) : resource
  const value = changeAttribute(own(container, attribute.name), path.target, change, budget)
  const changed = withValue(container, attribute.name, value)
  return extension ? withValue(resource, extension, changed) : changed
}

function changeAttribute(
  old: ScimValue | undefined,
  target: Target,
  change: Change,
  budget: ComparisonBudget,
): ScimValue | undefined {
  const { attribute, sub, path } = target
  const { op, value } = change
  if (attribute.multiValued) {
    const { filter, source } = 'target' in change.path ? change.path : {}
    return changeList(isList(old) ? old : [], { attribute, sub, filter, path, source }, change, budget)
  }
  if (op === 'remove' && !sub) return undefined
  const parts = isObject(old) ? old : {}
  if (sub) {
    const part = op === 'remove' ? undefined : readValue(leafOf(target), value, path)
    // The other sub-attributes described the previous value.
    return withValue(sub.name === 'value' && parts.value !== part ? {} : parts, sub.name, part)
  }
  if (attribute.type !== 'complex') return readValue(attribute, value, path)
  return changeParts(parts, attribute, value, path)
}

/** Merges the sub-attributes that were sent, unless `value` is one of the attribute's: then the others described the previous value. */
function changeParts(old: ScimObject, attribute: Attribute, value: unknown, path: string): ScimValue | undefined {
  const one = isList(value) && value.length <= 1 ? (value[0] ?? null) : value
  if (one === null || one === '') return undefined
  return readParts(attribute, one, path).reduce<ScimObject>(
    (parts, [{ name }, part]) => withValue(parts, name, part),
    hasValue(attribute) ? {} : old,
  )
}

/** Removes empty objects and lists and sets `schemas` to those that the resource has attributes of. */
function normalize(kind: ResourceKind, resource: ScimObject): ScimObject {
  const { core, extension } = KINDS[kind]
  const stored: Record<string, ScimValue> = { ...normalizeAttributes(topAttributes(kind), resource) }
  const more = extension ? normalizeAttributes(extension.attributes, ownObject(resource, extension.id)) : {}
  const isExtended = extension !== undefined && Object.keys(more).length > 0
  if (isExtended) stored[extension.id] = more
  return { ...stored, schemas: isExtended ? [core.id, extension.id] : [core.id] }
}

function normalizeAttributes(attributes: readonly Attribute[], container: ScimObject): ScimObject {
  const stored: Record<string, ScimValue> = {}
  for (const attribute of attributes) {
    const value = normalizeValue(attribute, own(container, attribute.name))
    if (value !== undefined) stored[attribute.name] = value
  }
  return stored
}

function normalizeValue(attribute: Attribute, value: ScimValue | undefined): ScimValue | undefined {
  // Only the service writes these attributes.
  if (value === undefined || attribute.mutability === 'readOnly') return value
  if (attribute.multiValued) return normalizeList(attribute, isList(value) ? value : [])
  return isObject(value) && Object.keys(value).length === 0 ? undefined : value
}
