import type { Transaction } from '../../../platform/db/database.js'
import { invalidAccessToken, rejection as platformError } from '../../../platform/errors.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import type { ResourceKind } from '../../../protocols/scim/index.js'
import { lockScimToken } from '../../access-tokens/index.js'
import type { DirectoryActor } from '../../user-management/index.js'
import type { ScimDeps } from './deps.js'

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

/** Returns the actor under which other modules record the directory's changes. */
export const directoryOf = ({ scimTokenId, createdBy, teamId, permissions, origin }: ScimActor): DirectoryActor => ({
  userId: null,
  responsibleId: createdBy,
  teamId,
  permissions,
  origin,
  method: 'scim',
  source: { token: scimTokenId },
})

/** A change by a SCIM client in its transaction, with the directory as its actor. */
export interface DirectoryChange {
  tx: Transaction
  deps: ScimDeps
  directory: DirectoryActor
}

/**
 * Runs a change by a SCIM client in a transaction. It locks the token and checks the permissions again, however long ago the request
 * began: a concurrent revocation waits for the change or makes it fail.
 * @param lockAccounts locks the accounts that the change affects. This precedes the token, in the order in which suspending the token's
 * creator locks them
 * @throws invalid_access_token, forbidden
 */
export const runAsDirectory = <T>(
  deps: ScimDeps,
  actor: ScimActor,
  kind: ResourceKind,
  work: (change: DirectoryChange) => Promise<T>,
  lockAccounts: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<T> =>
  deps.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const permissions = await lockScimToken(tx, deps.clock, actor.scimTokenId)
    if (!permissions) throw invalidAccessToken()
    requirePermissions(permissions, 'write', kind)
    return work({ tx, deps, directory: directoryOf({ ...actor, permissions }) })
  })
