import { own, type ScimObject, type ScimValue } from '../scim-object.js'
import type { Attribute } from './attribute.js'
import { KINDS, RESOURCE_KINDS, type ResourceKind, topAttributes } from './resource-kinds.js'

/** An attribute or sub-attribute that a path refers to. */
export interface Target {
  /** The canonical path: `userName`, `emails.value`, `urn:…:enterprise:2.0:User:manager.value`. */
  readonly path: string
  /** The extension of the attribute, if any. */
  readonly extension?: string
  /** The attribute of the resource or of the extension. */
  readonly attribute: Attribute
  readonly sub?: Attribute
  /** Only another resource type has the attribute, so no resource of this one has a value (RFC 7644 section 3.4.2.1). */
  readonly isAbsent?: true
}

/** Returns the sub-attribute of a target if it has one, else the attribute. */
export const leafOf = ({ attribute, sub }: Target): Attribute => sub ?? attribute

const byName = (attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> =>
  new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]))

/** Returns the attributes by name, and the URNs with a trailing colon, in lower case. */
function namesOf(kind: ResourceKind) {
  const { core, extension } = KINDS[kind]
  return {
    attributes: byName(topAttributes(kind)),
    core: `${core.id.toLowerCase()}:`,
    extension: extension && {
      id: extension.id,
      prefix: `${extension.id.toLowerCase()}:`,
      attributes: byName(extension.attributes),
    },
  }
}

const NAMES = { User: namesOf('User'), Group: namesOf('Group') }

/** Returns the sub-attribute with this name. */
export const subAttribute = (attribute: Attribute, name: string): Attribute | undefined =>
  attribute.subAttributes?.find((one) => one.name.toLowerCase() === name.toLowerCase())

/** Returns the URN of the resource's extension if the string is that URN, in any case. */
export function extensionNamed(kind: ResourceKind, text: string): string | undefined {
  const { extension } = NAMES[kind]
  return `${text.toLowerCase()}:` === extension?.prefix ? extension.id : undefined
}

/** Returns whether the string is the URN of the resource's core schema. */
export const isCoreNamed = (kind: ResourceKind, text: string): boolean => `${text.toLowerCase()}:` === NAMES[kind].core

/** Resolves `name` or `name.sub`, optionally after the URN of the schema, without case. */
export function findTarget(kind: ResourceKind, text: string): Target | undefined {
  const { attributes, core, extension } = NAMES[kind]
  const lower = text.toLowerCase()
  if (extension && lower.startsWith(extension.prefix))
    return within(extension.attributes, lower.slice(extension.prefix.length), extension.id)
  return within(attributes, lower.startsWith(core) ? lower.slice(core.length) : lower)
}

/** Resolves a name in a search across all resource types: an attribute of another type only is absent. */
export function findAmongAll(kind: ResourceKind, text: string): Target | undefined {
  const found = findTarget(kind, text)
  if (found) return found
  const elsewhere = RESOURCE_KINDS.map((other) => findTarget(other, text)).find((target) => target !== undefined)
  return elsewhere && { ...elsewhere, isAbsent: true }
}

function within(attributes: ReadonlyMap<string, Attribute>, text: string, extension?: string): Target | undefined {
  const [name = '', subName, ...more] = text.split('.')
  const attribute = attributes.get(name)
  if (!attribute || more.length > 0) return undefined
  const prefix = extension ? `${extension}:` : ''
  const top = { attribute, ...(extension && { extension }) }
  if (subName === undefined) return { path: `${prefix}${attribute.name}`, ...top }
  const sub = subAttribute(attribute, subName)
  return sub && { path: `${prefix}${attribute.name}.${sub.name}`, ...top, sub }
}

/** Returns the sub-attribute of a target with this name. */
export function subTarget(target: Target, name: string): Target | undefined {
  const sub = subAttribute(target.attribute, name)
  return sub && { ...target, path: `${target.path}.${sub.name}`, sub }
}

/**
 * Returns the target of a comparison or sort: for a complex attribute its `value` (RFC 7644 section 3.4.2.2). Undefined if it has none.
 */
export const simpleTarget = (target: Target): Target | undefined =>
  leafOf(target).type === 'complex' ? subTarget(target, 'value') : target

/** Returns the value at a path such as `name.givenName` or `urn:…:User:manager.value`; undefined within lists. */
function valueAt(kind: ResourceKind, resource: ScimObject, path: string): ScimValue | undefined {
  const target = findTarget(kind, path)
  if (!target) throw new TypeError(`A ${kind} has no attribute ${path}`)
  const names = [target.extension, target.attribute.name, target.sub?.name].filter((name) => name !== undefined)
  return names.reduce<ScimValue | undefined>(own, resource)
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
