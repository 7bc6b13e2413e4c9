import { applyChanges } from './apply-changes.js'
import { isCoreNamed } from './find-target.js'
import { changesOf } from './read-operations.js'
import { keysInLowerCase } from './read-value.js'
import { rejectPollution } from './reject-pollution.js'
import { KINDS, type ResourceKind } from './resource-kinds.js'
import { fault } from './scim-fault.js'
import { isList, isObject, type ScimObject } from './scim-object.js'

/**
 * Reads a resource that is sent to be made or to take the place of another (POST and PUT), and judges it against the schema. Names are as
 * the schema spells them, whatever their case was; what the schema does not know and what only we write (`id`, `meta`, `groups`) is left
 * out. A user without a `userName` is called by the first of the email addresses, whichever is the one to prefer.
 * @throws {ScimFault} `invalidSyntax` for what is no such resource, `invalidValue`, `tooMany`
 */
export function readResource(kind: ResourceKind, body: unknown): ScimObject {
  rejectPollution(body)
  if (!isObject(body)) throw fault('invalidSyntax', 'The body is an object.')
  const schemas = keysInLowerCase(body).get('schemas')
  if (schemas !== undefined && schemas !== null) {
    if (!isList(schemas) || !schemas.some((urn) => typeof urn === 'string' && isCoreNamed(kind, urn)))
      throw fault('invalidSyntax', `The body has the schema ${KINDS[kind].core.id}.`)
  }
  const resource = applyChanges(kind, {}, changesOf(kind, 'add', body))
  const named = kind === 'User' ? withUserName(resource) : resource
  for (const { name, required } of KINDS[kind].core.attributes)
    if (required && !Object.hasOwn(named, name)) throw fault('invalidValue', `“${name}” is required.`)
  return named
}

function withUserName(user: ScimObject): ScimObject {
  if (Object.hasOwn(user, 'userName') || !isList(user.emails)) return user
  const [first] = user.emails
  const address = isObject(first) ? first.value : undefined
  return address === undefined ? user : { ...user, userName: address }
}
