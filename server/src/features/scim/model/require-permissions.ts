import { rejection as platformError } from '../../../platform/errors.js'
import type { ResourceKind } from '../../../protocols/scim/index.js'

/** The permissions to read and write each kind of resource, the same as in the API for users. */
const REQUIRED_PERMISSIONS: Record<'read' | 'write', Record<ResourceKind, readonly string[]>> = {
  read: { User: ['users:read'], Group: ['groups:read'] },
  write: { User: ['users:write'], Group: ['groups:write', 'groups:members'] },
}

/** @throws forbidden if the token's creator does not have the permission */
export function requirePermissions(permissions: ReadonlySet<string>, act: 'read' | 'write', kind: ResourceKind): void {
  const missing = REQUIRED_PERMISSIONS[act][kind].find((permission) => !permissions.has(permission))
  if (missing !== undefined)
    throw platformError('forbidden', {
      detail: `The creator of this token does not have the permission ${missing}`,
    })
}
