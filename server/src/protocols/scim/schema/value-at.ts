import { isObject, type ScimObject, type ScimValue } from '../scim-object.js'
import { findTarget } from './find-target.js'
import type { ResourceKind } from './resource-kinds.js'

/** Returns the value at a path such as `name.givenName` or `urn:…:User:manager.value`; undefined within lists. */
export function valueAt(kind: ResourceKind, resource: ScimObject, path: string): ScimValue | undefined {
  const target = findTarget(kind, path)
  if (!target) throw new TypeError(`A ${kind} has no attribute ${path}`)
  const names = [target.extension, target.attribute.name, target.sub?.name].filter((name) => name !== undefined)
  let value: ScimValue | undefined = resource
  for (const name of names) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

/** Returns the string at a path. */
export function stringAt(kind: ResourceKind, resource: ScimObject, path: string): string | undefined {
  const value = valueAt(kind, resource, path)
  return typeof value === 'string' ? value : undefined
}

/** Returns the boolean at a path. */
export function booleanAt(kind: ResourceKind, resource: ScimObject, path: string): boolean | undefined {
  const value = valueAt(kind, resource, path)
  return typeof value === 'boolean' ? value : undefined
}
