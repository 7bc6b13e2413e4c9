import type { Actor } from '../../../platform/http/actor.js'
import { authorizeLog } from '../log/search-log.js'
import type { Scope } from '../schema.js'
import { type ChainHead, chainStart, INSTANCE_CHAIN } from './chain.js'
import type { AuditDeps } from './deps.js'
import { lastHead } from './repository.js'
import { signCheckpoint } from './signed-checkpoint.js'

/**
 * Returns the head of the chain at its newest seal, also as a signed checkpoint for external storage.
 * @throws forbidden for the instance's chain
 */
export async function readCheckpoint(
  deps: AuditDeps,
  actor: Actor,
  scope: Scope,
): Promise<ChainHead & { checkpoint: string }> {
  const chain = authorizeLog(actor, scope) ?? INSTANCE_CHAIN
  const [named] = await deps.db.run(lastHead, [chain])
  const { seal, entries, head } = named ?? { seal: 0, entries: 0, head: chainStart(chain).toString('hex') }
  const stated = { chain, seal, entries, head }
  return { ...stated, checkpoint: signCheckpoint(deps, stated) }
}
