import type { Filter } from '../filter/filter.js'
import { FilterReader } from '../filter/parse-filter.js'
import { scanFilter } from '../filter/scan-filter.js'
import { bodyWithSchema, keysInLowerCase, rejectPollution } from '../read-value.js'
import { extensionNamed, findTarget, isCoreNamed, leafOf, subTarget, type Target } from '../schema/find-target.js'
import type { ResourceKind } from '../schema/resource-kinds.js'
import { PATCH_OP } from '../schema/urns.js'
import { invalidRequest } from '../scim-error.js'
import { isList, isObject } from '../scim-object.js'

/** More than any client sends at once, and few enough to process immediately. */
const MAX_OPERATIONS = 1_000
/** Higher, because an operation without a path contains several changes. */
const MAX_CHANGES = 2_000
/** The maximum total length of the paths, in UTF-16 units: the maximum number of operations with paths twice as long as common ones. */
const MAX_PATHS_LENGTH = 131_072

/**
 * The target of a change: a whole extension, or an attribute or sub-attribute, optionally of the values that match the filter of the path
 * `source`.
 */
type PatchPath =
  | { readonly extension: string }
  | { readonly target: Target; readonly filter?: Filter; readonly source?: string }

/** One change of one attribute. */
export interface Change {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: PatchPath
  /** As it was sent. Null removes the value; undefined if nothing was sent. */
  readonly value: unknown
}

/**
 * Reads the body of a PATCH (RFC 7644 section 3.5.2) as an ordered list of changes. An operation without a path is one change for each
 * attribute of its value, where unknown and read-only attributes are ignored; a path to one is rejected.
 * @throws {ScimError} `invalidSyntax`, `tooMany`, `invalidPath`, `invalidFilter`, `invalidValue`, `mutability`, `noTarget`
 */
export function readOperations(kind: ResourceKind, body: unknown): Change[] {
  rejectPollution(body)
  if (!isObject(body)) throw invalidRequest('invalidSyntax', 'The body must be an object.')
  const operations = bodyWithSchema(body, PATCH_OP).get('operations')
  if (!isList(operations) || operations.length === 0)
    throw invalidRequest('invalidSyntax', '“Operations” must be a non-empty list.')
  if (operations.length > MAX_OPERATIONS)
    throw invalidRequest('tooMany', `A request may contain at most ${MAX_OPERATIONS} operations.`)
  if (operations.reduce((sum: number, one) => sum + lengthOfPath(one), 0) > MAX_PATHS_LENGTH)
    throw invalidRequest(
      'tooMany',
      `The paths of the operations may have at most ${MAX_PATHS_LENGTH} characters in total.`,
    )
  const changes = operations.flatMap((operation) => readOperation(kind, operation))
  if (changes.length > MAX_CHANGES)
    throw invalidRequest('tooMany', `A request may contain at most ${MAX_CHANGES} changes.`)
  return changes
}

/** Returns the length of the path of an unvalidated operation, including repeated keys in any case. */
const lengthOfPath = (operation: unknown): number =>
  isObject(operation)
    ? Object.entries(operation)
        .filter(([name]) => name.toLowerCase() === 'path')
        .reduce((sum, [, path]) => sum + (typeof path === 'string' ? path.length : 0), 0)
    : 0

function readOperation(kind: ResourceKind, operation: unknown): Change[] {
  if (!isObject(operation)) throw invalidRequest('invalidSyntax', 'An operation must be an object.')
  const sent = keysInLowerCase(operation)
  const op = readOp(sent.get('op'))
  const path = sent.get('path') ?? ''
  const value = sent.get('value')
  if (typeof path !== 'string') throw invalidRequest('invalidPath', 'A path must be a string.')
  if (op !== 'remove' && value === undefined) throw invalidRequest('invalidValue', `“${op}” must have a value.`)
  if (path.trim() === '') {
    if (op === 'remove') throw invalidRequest('noTarget', '“remove” must have a path.')
    if (!isObject(value))
      throw invalidRequest('invalidValue', 'Without a path, the value must be an object of attributes.')
    return changesOf(kind, op, value)
  }
  if (isIgnored(kind, path.trim())) return []
  const place = readPath(kind, path.trim())
  if (!place) throw invalidRequest('invalidPath', `Unknown attribute “${path}”.`)
  if (isReadOnly(place)) throw invalidRequest('mutability', `“${path}” is read-only.`)
  if (isImmutable(place)) throw invalidRequest('mutability', `“${path}” is immutable.`)
  if (!('extension' in place) || op === 'remove') return [{ op, path: place, value }]
  if (!isObject(value)) throw invalidRequest('invalidValue', `“${path}” must be an object.`)
  return changesOf(kind, op, { [place.extension]: value })
}

/** Passwords are ignored in any notation, so that clients that push them can write the other attributes. */
const isIgnored = (kind: ResourceKind, path: string): boolean =>
  kind === 'User' &&
  (path.toLowerCase() === 'password' ||
    (isCoreNamed(kind, path.replace(/:password$/i, '')) && /:password$/i.test(path)))

function readOp(value: unknown): Change['op'] {
  const op = typeof value === 'string' ? value.toLowerCase() : ''
  if (op === 'add' || op === 'replace' || op === 'remove') return op
  throw invalidRequest('invalidSyntax', '“op” must be add, replace or remove.')
}

/**
 * Returns one change for each key of an object. Keys may be paths (`name.givenName`, `urn:…:User:department`, `emails[type eq
 * "work"].value`). Unknown and read-only attributes are ignored.
 */
export function changesOf(
  kind: ResourceKind,
  op: 'add' | 'replace',
  value: { readonly [key: string]: unknown },
): Change[] {
  keysInLowerCase(value)
  return Object.entries(value).flatMap(([key, one]): Change[] => {
    if (isCoreNamed(kind, key)) return isObject(one) ? changesOf(kind, op, one) : []
    const path = pathOfKey(kind, key)
    if (!path || isReadOnly(path) || isImmutable(path)) return []
    if (!('extension' in path)) return [{ op, path, value: one }]
    if (one === null) return [{ op: 'remove', path, value: undefined }]
    if (!isObject(one)) throw invalidRequest('invalidValue', `“${key}” must be an object.`)
    return changesOf(kind, op, Object.fromEntries(Object.entries(one).map(([name, part]) => [`${key}:${name}`, part])))
  })
}

/** Parses a key; a key that is not a path is an unknown attribute. */
function pathOfKey(kind: ResourceKind, key: string): PatchPath | undefined {
  return /^[\w$.:-]+(?:\[.*\](?:\.[\w$]+)?)?$/s.test(key) ? readPath(kind, key) : undefined
}

/**
 * Parses a `PATH` (RFC 7644 section 3.5.2): `attribute`, `attribute.sub`, `attribute[filter]`, `attribute[filter].sub`, each optionally
 * after the URN of its schema, or the URN of an extension. Undefined for an unknown attribute.
 * @throws {ScimError} `invalidPath` for an invalid path
 */
function readPath(kind: ResourceKind, source: string): PatchPath | undefined {
  const extension = extensionNamed(kind, source)
  if (extension) return { extension }
  const reader = new FilterReader(scanFilter(source, 'invalidPath'), 'invalidPath', (name) => findTarget(kind, name))
  const target = findTarget(kind, reader.readWord() ?? '')
  if (!target) return undefined
  const filter = reader.readBrackets(target)
  const behind = filter && reader.readWord()
  reader.end()
  const chosen = filter && { filter, source }
  if (behind === undefined) return { target, ...chosen }
  const part = behind.startsWith('.') ? subTarget(target, behind.slice(1)) : undefined
  return part && { target: part, ...chosen }
}

/** Returns whether only the service writes the attribute or its parent. */
function isReadOnly(path: PatchPath): boolean {
  if ('extension' in path) return false
  return path.target.attribute.mutability === 'readOnly' || leafOf(path.target).mutability === 'readOnly'
}

/** Returns whether the sub-attribute cannot be changed while the value exists. */
const isImmutable = (path: PatchPath): boolean => 'target' in path && path.target.sub?.mutability === 'immutable'
