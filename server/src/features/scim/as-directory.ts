import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { ScimActor } from '../../platform/http/actor.js'
import type { DirectoryActor } from '../users/index.js'
import type { ScimDeps } from './deps.js'
import { isTokenAlive } from './token-repository.js'

/** The directory as the rooms know it whose people and groups it writes. */
export const directoryOf = ({ scimTokenId, teamId, permissions, origin }: ScimActor): DirectoryActor => ({
  userId: null,
  teamId,
  permissions,
  origin,
  method: 'scim',
  source: { token: scimTokenId },
})

/**
 * One change by a directory. What it makes outlives its token: whoever revokes that waits for the change, or finds it refused.
 * @throws invalid_access_token
 */
export const asDirectory = <T>(
  { db, clock }: Pick<ScimDeps, 'db' | 'clock'>,
  actor: ScimActor,
  work: (tx: Transaction, directory: DirectoryActor) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    if (!(await isTokenAlive(tx, clock, actor.scimTokenId))) throw invalidAccessToken()
    return work(tx, directoryOf(actor))
  })
