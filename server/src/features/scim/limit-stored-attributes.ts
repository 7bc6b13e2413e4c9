import { fault } from '../../protocols/scim/index.js'
import type { StoredAttributes } from './user-repository.js'

/** What a membership has no column for, of one user, as JSON: many times what any directory sends. In bytes. */
export const MOST_KEPT = 65_536

const sizeOf = (stored: StoredAttributes | null | undefined): number =>
  stored ? Buffer.byteLength(JSON.stringify(stored.data)) : 0

/**
 * Bounds what is kept of one user: whoever has more already keeps it, and may be changed to anything that is not longer.
 * @throws {ScimFault} tooMany
 */
export function limitStoredAttributes(
  stored: StoredAttributes,
  before: StoredAttributes | null | undefined,
): StoredAttributes {
  const size = sizeOf(stored)
  if (size > MOST_KEPT && size > sizeOf(before))
    throw fault('tooMany', `At most ${MOST_KEPT} bytes of one user are kept; this would be ${size}.`)
  return stored
}
