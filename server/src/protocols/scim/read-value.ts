import type { Attribute } from './attribute.js'
import { rejectTooMany } from './list-limits.js'
import { fault } from './scim-fault.js'
import { isList, isObject, type ScimObject, type ScimValue } from './scim-object.js'

/** In UTF-16 units. */
const LONGEST_TEXT = 4_096
const LONGEST_BINARY = 16_384
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/**
 * Reads the value of an attribute and judges it against the schema; undefined where none is assigned: null, an empty text, list or object.
 * What directories send beside the standard means what they mean by it: booleans as texts, a bare text where the value has a part `value`,
 * one value in a list where one is due, `{"value": …}` where a simple one is.
 * @param path how the attribute is called in a refusal
 * @throws {ScimFault} `invalidValue`; `tooMany`; `invalidSyntax` for an object that has a key twice, told apart by case
 */
export function readValue(attribute: Attribute, value: unknown, path: string): ScimValue | undefined {
  if (!attribute.multiValued) return readSingle(attribute, value, path)
  const values = readValues(attribute, value, path)
  return values.length > 0 ? values : undefined
}

/** The values of a multi-valued attribute; one that is not in a list is a list of one. */
export function readValues(attribute: Attribute, value: unknown, path: string): ScimValue[] {
  const sent = isList(value) ? value : [value]
  rejectTooMany(attribute, sent.length)
  return sent.map((one) => readOne(attribute, one, path)).filter((one) => one !== undefined)
}

function readSingle(attribute: Attribute, value: unknown, path: string): ScimValue | undefined {
  if (!isList(value)) return readOne(attribute, value, path)
  if (value.length > 1) throw fault('invalidValue', `“${path}” has one value.`)
  return readOne(attribute, value[0], path)
}

function readOne(attribute: Attribute, value: unknown, path: string): ScimValue | undefined {
  if (value === null || value === undefined) return undefined
  if (attribute.type !== 'complex') return readSimple(attribute, isObject(value) ? partOf(value, 'value') : value, path)
  const parts: Record<string, ScimValue> = {}
  for (const [sub, part] of readParts(attribute, value, path)) if (part !== undefined) parts[sub.name] = part
  for (const { name, required } of attribute.subAttributes ?? [])
    if (required && !Object.hasOwn(parts, name)) throw fault('invalidValue', `A value of “${path}” has a “${name}”.`)
  return Object.keys(parts).length > 0 ? parts : undefined
}

/** Whether the values of a complex attribute are what stands in their part `value`. */
export const hasValue = (attribute: Attribute): boolean =>
  attribute.subAttributes?.some(({ name }) => name === 'value') ?? false

/**
 * The parts of a complex value that were sent, in the order of the schema; undefined for one that is to have no value. What the
 * schema does not know, and what only we write, is left out.
 */
export function readParts(
  attribute: Attribute,
  value: unknown,
  path: string,
): [sub: Attribute, part: ScimValue | undefined][] {
  const sent = typeof value === 'string' && hasValue(attribute) ? { value } : value
  if (!isObject(sent)) throw fault('invalidValue', `“${path}” is an object.`)
  const byName = keysInLowerCase(sent)
  return (attribute.subAttributes ?? []).flatMap((sub): [Attribute, ScimValue | undefined][] => {
    const name = sub.name.toLowerCase()
    if (sub.mutability === 'readOnly' || !byName.has(name)) return []
    return [[sub, readSingle(sub, byName.get(name), `${path}.${sub.name}`)]]
  })
}

/** What an object has, by its keys in lower case: case tells no attributes apart (RFC 7643, section 2.1). */
export function keysInLowerCase(value: { readonly [key: string]: unknown }): ReadonlyMap<string, unknown> {
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [key.toLowerCase(), one])
  const byName = new Map(entries)
  if (byName.size < entries.length) throw fault('invalidSyntax', 'An object has a key twice, told apart by case alone.')
  return byName
}

const partOf = (value: { readonly [key: string]: unknown }, name: string): unknown =>
  Object.hasOwn(value, name) ? (value[name] ?? undefined) : value

function readSimple({ type }: Attribute, value: unknown, path: string): string | boolean | undefined {
  if (value === undefined) return undefined
  if (type === 'boolean') return readFlag(value, path)
  if (typeof value !== 'string') throw fault('invalidValue', `“${path}” is a text.`)
  const longest = type === 'binary' ? LONGEST_BINARY : LONGEST_TEXT
  if (value.length > longest) throw fault('invalidValue', `“${path}” has at most ${longest} characters.`)
  if (!value.isWellFormed() || value.includes('\0')) throw fault('invalidValue', `“${path}” is no text.`)
  if (type === 'binary' && !BASE64.test(value)) throw fault('invalidValue', `“${path}” is base64.`)
  return value === '' ? undefined : value
}

function readFlag(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word === 'true' || word === 'false') return word === 'true'
  throw fault('invalidValue', `“${path}” is true or false.`)
}

/** A copy with one value set, or taken away. */
export function withValue(object: ScimObject, name: string, value: ScimValue | undefined): ScimObject {
  if (value !== undefined) return { ...object, [name]: value }
  const { [name]: _, ...rest } = object
  return rest
}
