import type { Transaction } from '../../../platform/db/database.js'
import { invalidAccessToken } from '../../../platform/errors.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import type { ResourceKind } from '../../../protocols/scim/index.js'
import { lockScimToken } from '../../access-tokens/index.js'
import type { DirectoryActor } from '../../user-management/index.js'
import type { ScimDeps } from './deps.js'
import { requirePermissions } from './require-permissions.js'

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

/**
 * Runs a change by a SCIM client in a transaction. It locks the token and checks the permissions again, however long ago the request
 * began: a concurrent revocation waits for the change or makes it fail.
 * @param lockAccounts locks the accounts that the change affects. This precedes the token, in the order in which suspending the token's
 * creator locks them
 * @throws invalid_access_token, forbidden
 */
export const runAsDirectory = <T>(
  { db, clock }: Pick<ScimDeps, 'db' | 'clock'>,
  actor: ScimActor,
  kind: ResourceKind,
  work: (tx: Transaction, directory: DirectoryActor) => Promise<T>,
  lockAccounts: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<T> =>
  db.transaction(async (tx) => {
    await lockAccounts(tx)
    const permissions = await lockScimToken(tx, clock, actor.scimTokenId)
    if (!permissions) throw invalidAccessToken()
    requirePermissions(permissions, 'write', kind)
    return work(tx, directoryOf({ ...actor, permissions }))
  })
