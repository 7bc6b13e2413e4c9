import type { Actor } from '../../platform/http/actor.js'
import { bumpPolicyVersion } from '../teams/index.js'
import type { PolicyDeps } from './deps.js'
import { rejection } from './errors.js'
import { policyRepository } from './repository.js'

/** Deletes a policy permanently. @throws policy_not_found */
export function deletePolicy({ db, audit }: PolicyDeps, actor: Actor, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    await bumpPolicyVersion(tx, actor.teamId)
    const deleted = await policyRepository(tx, actor.teamId).delete(id)
    if (!deleted) throw rejection('policy_not_found')
    const { name, type, effect, resource } = deleted
    await audit.record(tx, actor, 'policy.deleted', {
      resource: `policy:${deleted.id}`,
      metadata: { name, type, effect, resource },
    })
  })
}
