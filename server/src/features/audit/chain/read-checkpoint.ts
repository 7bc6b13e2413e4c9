import type { Actor } from '../../../platform/http/actor.js'
import { authorizeLog, type Scope } from '../log/scope.js'
import { chainStart, INSTANCE_CHAIN } from './chain.js'
import { signStatement } from './checkpoint-statement.js'
import type { AuditDeps } from './deps.js'
import { lastHead } from './repository.js'

export interface StoredCheckpoint {
  chain: string
  seal: number
  entries: number
  head: string
  /** The signed statement, for external storage. */
  checkpoint: string
}

/** Returns the head of the chain at its newest seal. @throws forbidden for the instance's chain */
export async function readCheckpoint(deps: AuditDeps, actor: Actor, scope: Scope): Promise<StoredCheckpoint> {
  const chain = authorizeLog(actor, scope) ?? INSTANCE_CHAIN
  const [named] = await deps.db.run(lastHead, [chain])
  const { seal, entries, head } = named ?? { seal: 0, entries: 0, head: chainStart(chain).toString('hex') }
  const stated = { chain, seal, entries, head }
  return { ...stated, checkpoint: signStatement(deps, stated) }
}
