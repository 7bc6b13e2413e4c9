import type { Attribute } from './schema/attribute.js'
import { invalidRequest } from './scim-error.js'
import { isList, isObject, type ScimObject, type ScimValue } from './scim-object.js'

/** In UTF-16 units. */
const MAX_TEXT_LENGTH = 4_096
const MAX_BINARY_LENGTH = 16_384
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** The maximum number of members in one body, and of values of any other attribute. */
export const MAX_MEMBERS_OF_REQUEST = 10_000
const MAX_VALUES = 100

/** @throws {ScimError} `tooMany` */
export function rejectTooMany({ name }: Attribute, count: number): void {
  const most = name === 'members' ? MAX_MEMBERS_OF_REQUEST : MAX_VALUES
  if (count > most) throw invalidRequest('tooMany', `“${name}” must have at most ${most} values.`)
}

/**
 * Reads the value of an attribute and validates it against the schema; undefined if it is unassigned: null or an empty string, list or
 * object. Accepts common deviations: booleans as strings, a string instead of an object with `value`, a list of one value instead of the
 * value, `{"value": …}` instead of a simple value.
 * @param path the path for error messages
 * @throws {ScimError} `invalidValue`; `tooMany`; `invalidSyntax` for an object with keys that differ by case only
 */
export function readValue(attribute: Attribute, value: unknown, path: string): ScimValue | undefined {
  if (!attribute.multiValued) return readSingle(attribute, value, path)
  const values = readValues(attribute, value, path)
  return values.length > 0 ? values : undefined
}

/** Reads the values of a multi-valued attribute; a single value counts as a list of one. */
export function readValues(attribute: Attribute, value: unknown, path: string): ScimValue[] {
  const sent = isList(value) ? value : [value]
  rejectTooMany(attribute, sent.length)
  return sent.map((one) => readOne(attribute, one, path)).filter((one) => one !== undefined)
}

function readSingle(attribute: Attribute, value: unknown, path: string): ScimValue | undefined {
  if (!isList(value)) return readOne(attribute, value, path)
  if (value.length > 1) throw invalidRequest('invalidValue', `“${path}” must have a single value.`)
  return readOne(attribute, value[0], path)
}

function readOne(attribute: Attribute, value: unknown, path: string): ScimValue | undefined {
  if (value === null || value === undefined) return undefined
  const isWrapped = isObject(value) && Object.hasOwn(value, 'value')
  if (attribute.type !== 'complex') return readSimple(attribute, isWrapped ? (value.value ?? undefined) : value, path)
  const parts: Record<string, ScimValue> = {}
  for (const [sub, part] of readParts(attribute, value, path)) if (part !== undefined) parts[sub.name] = part
  for (const { name, required } of attribute.subAttributes ?? [])
    if (required && !Object.hasOwn(parts, name))
      throw invalidRequest('invalidValue', `A value of “${path}” must have a “${name}”.`)
  return Object.keys(parts).length > 0 ? parts : undefined
}

/** Returns whether a complex attribute has a `value` sub-attribute. */
export const hasValue = (attribute: Attribute): boolean =>
  attribute.subAttributes?.some(({ name }) => name === 'value') ?? false

/**
 * Reads the given sub-attributes of a complex value, in the order of the schema; undefined removes one. Unknown and read-only ones are
 * ignored.
 */
export function readParts(
  attribute: Attribute,
  value: unknown,
  path: string,
): [sub: Attribute, part: ScimValue | undefined][] {
  const sent = typeof value === 'string' && hasValue(attribute) ? { value } : value
  if (!isObject(sent)) throw invalidRequest('invalidValue', `“${path}” must be an object.`)
  const byName = keysInLowerCase(sent)
  return (attribute.subAttributes ?? []).flatMap((sub): [Attribute, ScimValue | undefined][] => {
    const name = sub.name.toLowerCase()
    if (sub.mutability === 'readOnly' || !byName.has(name)) return []
    return [[sub, readSingle(sub, byName.get(name), `${path}.${sub.name}`)]]
  })
}

/** Indexes an object by its keys in lower case, because attribute names are case-insensitive (RFC 7643 section 2.1). */
export function keysInLowerCase(value: { readonly [key: string]: unknown }): ReadonlyMap<string, unknown> {
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [key.toLowerCase(), one])
  const byName = new Map(entries)
  if (byName.size < entries.length)
    throw invalidRequest('invalidSyntax', 'An object contains keys that differ by case only.')
  return byName
}

function readSimple({ type }: Attribute, value: unknown, path: string): string | boolean | undefined {
  if (value === undefined) return undefined
  if (type === 'boolean') return readBoolean(value, path)
  if (typeof value !== 'string') throw invalidRequest('invalidValue', `“${path}” must be a string.`)
  const longest = type === 'binary' ? MAX_BINARY_LENGTH : MAX_TEXT_LENGTH
  if (value.length > longest) throw invalidRequest('invalidValue', `“${path}” must have at most ${longest} characters.`)
  if (!value.isWellFormed() || value.includes('\0'))
    throw invalidRequest('invalidValue', `“${path}” contains invalid characters.`)
  if (type === 'binary' && !BASE64.test(value)) throw invalidRequest('invalidValue', `“${path}” must be base64.`)
  return value === '' ? undefined : value
}

function readBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word === 'true' || word === 'false') return word === 'true'
  throw invalidRequest('invalidValue', `“${path}” must be true or false.`)
}

/** Returns a copy with one value set or removed. */
export function withValue(object: ScimObject, name: string, value: ScimValue | undefined): ScimObject {
  if (value !== undefined) return { ...object, [name]: value }
  const { [name]: _, ...rest } = object
  return rest
}

/** Reads a message by its keys in lower case. @throws {ScimError} `invalidSyntax` if it does not have the schema */
export function bodyWithSchema(body: unknown, urn: string): ReadonlyMap<string, unknown> {
  const sent: ReadonlyMap<string, unknown> = isObject(body) ? keysInLowerCase(body) : new Map()
  const schemas = sent.get('schemas')
  const isUrn = (one: unknown) => typeof one === 'string' && one.toLowerCase() === urn.toLowerCase()
  if (!isList(schemas) || !schemas.some(isUrn))
    throw invalidRequest('invalidSyntax', `The body must have the schema ${urn}.`)
  return sent
}

/** Keys that reach the prototypes of objects, alone or within a path (`name.__proto__`). No attribute has these names. */
const RESERVED_KEY = /(?:^|[^\w$])(?:__proto__|constructor|prototype)(?:$|[^\w$])/i

/** Deeper than any SCIM resource. */
const MAX_DEPTH = 16

/**
 * Rejects a body with a key that could reach the prototypes of objects, or with more than 16 levels. No code here writes to such keys;
 * this is defense in depth.
 * @throws {ScimError} `invalidSyntax`
 */
export function rejectPollution(body: unknown): void {
  const waiting: [value: unknown, depth: number][] = [[body, 0]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, depth] = next
    if (!isList(value) && !isObject(value)) continue
    if (depth === MAX_DEPTH) throw invalidRequest('invalidSyntax', `The body may have at most ${MAX_DEPTH} levels.`)
    if (isObject(value) && Object.keys(value).some((key) => RESERVED_KEY.test(key)))
      throw invalidRequest('invalidSyntax', 'The body contains a reserved key.')
    for (const inside of Object.values(value)) waiting.push([inside, depth + 1])
  }
}
