import type { ScimObject } from '../scim-object.js'
import { applyChanges, verifyRequired } from './apply-changes.js'
import { readOperations } from './read-operations.js'

/**
 * Applies a PATCH to a user (RFC 7644 section 3.5.2, and the deviations of common clients). Applies all operations or none; does not
 * modify its arguments.
 * @param body the unvalidated request body
 * @throws {ScimError} 400 with a type
 */
export function applyUserPatch(user: ScimObject, body: unknown): ScimObject {
  const changed = applyChanges('User', user, readOperations('User', body))
  verifyRequired('User', user, changed)
  return changed
}
