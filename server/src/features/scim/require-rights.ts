import { rejection as platformError } from '../../platform/errors.js'
import type { ResourceKind } from '../../protocols/scim/index.js'

/** What a token must be lent to read resources of a kind, and what to write them: the same as at the doors for people. */
const RIGHTS: Record<'read' | 'write', Record<ResourceKind, readonly string[]>> = {
  read: { User: ['users:read'], Group: ['groups:read'] },
  write: { User: ['users:write'], Group: ['groups:write', 'groups:members'] },
}

/** @throws forbidden when whoever made the token may not do the same themselves */
export function requireRights(permissions: ReadonlySet<string>, act: 'read' | 'write', kind: ResourceKind): void {
  const missing = RIGHTS[act][kind].find((permission) => !permissions.has(permission))
  if (missing !== undefined)
    throw platformError('forbidden', {
      detail: `Whoever made this token does not have the permission ${missing}, so it lends none`,
    })
}
