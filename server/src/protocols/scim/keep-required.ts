import { KINDS, type ResourceKind } from './resource-kinds.js'
import { fault } from './scim-fault.js'
import type { ScimObject } from './scim-object.js'

/** @throws {ScimFault} `mutability` (RFC 7644, section 3.5.2.2) where an attribute that is required has gone */
export function keepRequired(kind: ResourceKind, before: ScimObject, after: ScimObject): void {
  for (const { name, required } of KINDS[kind].core.attributes)
    if (required && Object.hasOwn(before, name) && !Object.hasOwn(after, name))
      throw fault('mutability', `“${name}” is required.`)
}
