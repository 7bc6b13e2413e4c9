import type { Attribute } from './schema/attribute.js'
import { extensionNamed, findTarget } from './schema/find-target.js'
import { KINDS, type ResourceKind, topAttributes } from './schema/resource-kinds.js'
import { invalidRequest } from './scim-error.js'
import { isList, isObject, own, type ScimObject, type ScimValue } from './scim-object.js'

/** Selects the returned attributes of a resource (RFC 7644 section 3.9). */
export interface Projection {
  /** Returns whether any part of an attribute is returned, so that expensive attributes are only loaded when needed. */
  wants(path: string): boolean
  of(resource: ScimObject): ScimObject
}

/** Resolves names of attributes and extensions; unknown names are ignored. */
function readNames(kind: ResourceKind, names: readonly string[]): ReadonlySet<string> {
  const paths = names.map((name) => extensionNamed(kind, name) ?? findTarget(kind, name)?.path)
  return new Set(paths.filter((path) => path !== undefined))
}

/** Reads comma-separated names (in a query) or a list of them (in a body). */
function split(value: unknown, name: string): string[] | undefined {
  if (value === undefined) return undefined
  const names: readonly unknown[] = isList(value) ? value : [value]
  return names.flatMap((one) => {
    if (typeof one !== 'string') throw invalidRequest('invalidValue', `“${name}” must be a list of attribute names.`)
    return one
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  })
}

/**
 * Reads `attributes` and `excludedAttributes`; the first takes precedence. Attributes with `returned: always` are always included.
 * @param wanted from a query (a comma-separated string) or a body (a list)
 * @throws {ScimError} `invalidValue`
 */
export function readProjection(
  kind: ResourceKind,
  wanted: { readonly attributes?: unknown; readonly excludedAttributes?: unknown } = {},
): Projection {
  const only = split(wanted.attributes, 'attributes')
  const without = split(wanted.excludedAttributes, 'excludedAttributes')
  const names = only?.length ? readNames(kind, only) : undefined
  const left = readNames(kind, (!names && without) || [])

  const parts = (path: string) => names && [...names].some((name) => name.startsWith(`${path}.`))
  /** Whether the complete attribute is returned. */
  const whole = (attribute: Attribute, path: string, container: string | undefined): boolean => {
    if (attribute.returned === 'never') return false
    if (attribute.returned === 'always') return true
    if (names) return names.has(path) || (container !== undefined && names.has(container))
    return attribute.returned === 'default' && !left.has(path) && !(container !== undefined && left.has(container))
  }

  const value = (attribute: Attribute, path: string, of: ScimValue, all: boolean): ScimValue | undefined => {
    if (isList(of)) {
      const values = of.map((one) => value(attribute, path, one, all)).filter((one) => one !== undefined)
      return values.length > 0 ? values : undefined
    }
    if (!isObject(of) || !attribute.subAttributes) return of
    const stored: Record<string, ScimValue> = {}
    for (const sub of attribute.subAttributes) {
      const found = own(of, sub.name)
      if (found !== undefined && whole(sub, `${path}.${sub.name}`, all ? path : undefined)) stored[sub.name] = found
    }
    return Object.keys(stored).length > 0 ? stored : undefined
  }

  const attributesOf = (attributes: readonly Attribute[], of: ScimObject, extension?: string): ScimObject => {
    const stored: Record<string, ScimValue> = {}
    for (const attribute of attributes) {
      const path = extension ? `${extension}:${attribute.name}` : attribute.name
      const found = own(of, attribute.name)
      if (found === undefined) continue
      const all = whole(attribute, path, extension)
      const shown = all || parts(path) ? value(attribute, path, found, all) : undefined
      if (shown !== undefined) stored[attribute.name] = shown
    }
    return stored
  }

  const { extension } = KINDS[kind]
  return {
    wants(path) {
      const target = findTarget(kind, path)
      return (
        target !== undefined && (whole(target.attribute, target.path, target.extension) || parts(target.path) === true)
      )
    },
    of(resource) {
      const stored: Record<string, ScimValue> = { ...attributesOf(topAttributes(kind), resource) }
      const more = extension && own(resource, extension.id)
      if (extension && isObject(more)) {
        const within = attributesOf(extension.attributes, more, extension.id)
        if (Object.keys(within).length > 0) stored[extension.id] = within
      }
      return stored
    },
  }
}
