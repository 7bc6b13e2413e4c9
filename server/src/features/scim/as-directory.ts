import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { ScimActor } from '../../platform/http/actor.js'
import type { ResourceKind } from '../../protocols/scim/index.js'
import type { DirectoryActor } from '../user-management/index.js'
import type { ScimDeps } from './deps.js'
import { requireRights } from './require-rights.js'
import { lockScimToken } from './token-repository.js'

/** The directory as the rooms know it whose people and groups it writes. */
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
 * One change of a resource by a directory. What it makes outlives its token: whoever revokes that waits for the change, or finds it
 * refused; and its maker is asked again what they may, however long ago the request began.
 * @param lockAccounts locks the accounts that the change is about: whoever revokes the token with its maker has locked the account first
 * @throws invalid_access_token, forbidden
 */
export const asDirectory = <T>(
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
    requireRights(permissions, 'write', kind)
    return work(tx, directoryOf({ ...actor, permissions }))
  })
