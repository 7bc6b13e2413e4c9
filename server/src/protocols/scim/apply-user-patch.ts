import { applyChanges } from './apply-changes.js'
import { keepRequired } from './keep-required.js'
import { readOperations } from './read-operations.js'
import type { ScimObject } from './scim-object.js'

/**
 * A user after a PATCH (RFC 7644, section 3.5.2, and what directories send in its name). All of it is done or nothing: the user that is given
 * stays as it is.
 * @param body as it was sent
 * @throws {ScimFault} 400 with a type
 */
export function applyUserPatch(user: ScimObject, body: unknown): ScimObject {
  const changed = applyChanges('User', user, readOperations('User', body))
  keepRequired('User', user, changed)
  return changed
}
