import { isCoreNamed } from './find-target.js'
import { isImmutable, isReadOnly, type PatchPath, readPath } from './patch-path.js'
import { keysInLowerCase } from './read-value.js'
import { rejectPollution } from './reject-pollution.js'
import type { ResourceKind } from './resource-kinds.js'
import { fault } from './scim-fault.js'
import { isList, isObject } from './scim-object.js'
import { PATCH_OP } from './urns.js'

/** More than any directory sends at once, and few enough to be done in a moment. */
const MOST_OPERATIONS = 1_000
/** Operations without a path make several. */
const MOST_CHANGES = 2_000
/** How long their paths are together: as many as there may be, each twice as long as those of directories. In UTF-16 units. */
const LONGEST_PATHS = 131_072

/** One thing that is to be done to one place. */
export interface Change {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: PatchPath
  /** As it was sent. Null where there is none to be any more; undefined where nothing was sent. */
  readonly value: unknown
}

/**
 * Reads the body of a PATCH (RFC 7644, section 3.5.2) as the changes that it asks for, in their order. An operation without a path is one
 * change for each attribute that it names; there what is unknown or ours is passed over, while a path to it is refused.
 * @throws {ScimFault} `invalidSyntax`, `tooMany`, `invalidPath`, `invalidFilter`, `invalidValue`, `mutability`, `noTarget`
 */
export function readOperations(kind: ResourceKind, body: unknown): Change[] {
  rejectPollution(body)
  if (!isObject(body)) throw fault('invalidSyntax', 'The body is an object.')
  const said = keysInLowerCase(body)
  const schemas = said.get('schemas')
  const named = (urn: unknown) => typeof urn === 'string' && urn.toLowerCase() === PATCH_OP.toLowerCase()
  if (!isList(schemas) || !schemas.some(named)) throw fault('invalidSyntax', `The body has the schema ${PATCH_OP}.`)
  const operations = said.get('operations')
  if (!isList(operations) || operations.length === 0) throw fault('invalidSyntax', '“Operations” is a list of them.')
  if (operations.length > MOST_OPERATIONS) throw fault('tooMany', `There are at most ${MOST_OPERATIONS} operations.`)
  if (operations.reduce((sum: number, one) => sum + lengthOfPath(one), 0) > LONGEST_PATHS)
    throw fault('tooMany', `The paths of the operations have at most ${LONGEST_PATHS} characters together.`)
  const changes = operations.flatMap((operation) => readOperation(kind, operation))
  if (changes.length > MOST_CHANGES) throw fault('tooMany', `There are at most ${MOST_CHANGES} changes.`)
  return changes
}

/** Of an operation that is not judged yet: the text that it has by that name, in whatever case, as often as it is there. */
const lengthOfPath = (operation: unknown): number =>
  isObject(operation)
    ? Object.entries(operation)
        .filter(([name]) => name.toLowerCase() === 'path')
        .reduce((sum, [, path]) => sum + (typeof path === 'string' ? path.length : 0), 0)
    : 0

function readOperation(kind: ResourceKind, operation: unknown): Change[] {
  if (!isObject(operation)) throw fault('invalidSyntax', 'An operation is an object.')
  const said = keysInLowerCase(operation)
  const op = readOp(said.get('op'))
  const path = said.get('path') ?? ''
  const value = said.get('value')
  if (typeof path !== 'string') throw fault('invalidPath', 'A path is a text.')
  if (op !== 'remove' && value === undefined) throw fault('invalidValue', `“${op}” has a value.`)
  if (path.trim() === '') {
    if (op === 'remove') throw fault('noTarget', 'What is to be removed is named by a path.')
    if (!isObject(value)) throw fault('invalidValue', 'Without a path the value is an object with attributes.')
    return changesOf(kind, op, value)
  }
  if (isIgnored(kind, path.trim())) return []
  const place = readPath(kind, path.trim())
  if (!place) throw fault('invalidPath', `There is no attribute “${path}”.`)
  if (isReadOnly(place)) throw fault('mutability', `“${path}” is not written by others.`)
  if (isImmutable(place)) throw fault('mutability', `“${path}” is not changed once it is there.`)
  if (!('extension' in place) || op === 'remove') return [{ op, path: place, value }]
  if (!isObject(value)) throw fault('invalidValue', `“${path}” is an object.`)
  return changesOf(kind, op, { [place.extension]: value })
}

/** A password, which is passed over however it is sent: directories that push one go on with all the rest. */
const isIgnored = (kind: ResourceKind, path: string): boolean =>
  kind === 'User' &&
  (path.toLowerCase() === 'password' ||
    (isCoreNamed(kind, path.replace(/:password$/i, '')) && /:password$/i.test(path)))

function readOp(value: unknown): Change['op'] {
  const op = typeof value === 'string' ? value.toLowerCase() : ''
  if (op === 'add' || op === 'replace' || op === 'remove') return op
  throw fault('invalidSyntax', '“op” is add, replace or remove.')
}

/**
 * One change for each attribute of an object, by whatever path its keys are (`name.givenName`, `urn:…:User:department`,
 * `emails[type eq "work"].value`); what is unknown or ours is passed over.
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
    if (!isObject(one)) throw fault('invalidValue', `“${key}” is an object.`)
    return changesOf(kind, op, Object.fromEntries(Object.entries(one).map(([name, part]) => [`${key}:${name}`, part])))
  })
}

/** A key that is no path at all is an attribute that we do not know. */
function pathOfKey(kind: ResourceKind, key: string): PatchPath | undefined {
  return /^[\w$.:-]+(?:\[.*\](?:\.[\w$]+)?)?$/s.test(key) ? readPath(kind, key) : undefined
}
