import { applyChanges } from './patch/apply-changes.js'
import { changesOf } from './patch/read-operations.js'
import { keysInLowerCase, rejectPollution } from './read-value.js'
import { isCoreNamed } from './schema/find-target.js'
import { KINDS, type ResourceKind } from './schema/resource-kinds.js'
import { invalidRequest } from './scim-error.js'
import { isList, isObject, type ScimObject } from './scim-object.js'

/**
 * Reads a resource of a POST or PUT and validates it against the schema. Returns canonical attribute names; unknown and read-only
 * attributes (`id`, `meta`, `groups`) are ignored. A user without a `userName` gets the first email address, even if another one is primary.
 * @throws {ScimError} `invalidSyntax` for an invalid resource, `invalidValue`, `tooMany`
 */
export function readResource(kind: ResourceKind, body: unknown): ScimObject {
  rejectPollution(body)
  if (!isObject(body)) throw invalidRequest('invalidSyntax', 'The body must be an object.')
  const schemas = keysInLowerCase(body).get('schemas')
  if (schemas !== undefined && schemas !== null) {
    if (!isList(schemas) || !schemas.some((urn) => typeof urn === 'string' && isCoreNamed(kind, urn)))
      throw invalidRequest('invalidSyntax', `The body must have the schema ${KINDS[kind].core.id}.`)
  }
  const resource = applyChanges(kind, {}, changesOf(kind, 'add', body))
  const named = kind === 'User' ? withUserName(resource) : resource
  for (const { name, required } of KINDS[kind].core.attributes)
    if (required && !Object.hasOwn(named, name)) throw invalidRequest('invalidValue', `“${name}” is required.`)
  return named
}

function withUserName(user: ScimObject): ScimObject {
  if (Object.hasOwn(user, 'userName') || !isList(user.emails)) return user
  const [first] = user.emails
  const address = isObject(first) ? first.value : undefined
  return address === undefined ? user : { ...user, userName: address }
}
