import { uuidv7 } from '../../platform/crypto/random.js'
import type { Actor } from '../../platform/http/actor.js'
import type { PolicyId } from '../../platform/ids.js'
import { bumpPolicyVersion } from '../teams/index.js'
import type { PolicyDeps } from './deps.js'
import { newDefinition, type Policy, sizeAtSignIn } from './policy-definition.js'
import { policyRepository } from './repository.js'

/** @throws invalid_request, limit_reached */
export function createPolicy(
  { db, clock, audit }: PolicyDeps,
  actor: Actor,
  written: Parameters<typeof newDefinition>[1],
): Promise<Policy> {
  const definition = newDefinition(clock, written)
  return db.transaction(async (tx) => {
    const repository = policyRepository(tx, actor.teamId)
    await bumpPolicyVersion(tx, actor.teamId)
    const now = clock.now()
    const policy = await repository.insert({
      ...definition,
      id: uuidv7<PolicyId>(clock),
      createdAt: now,
      updatedAt: now,
    })
    await repository.rejectBeyondLimits(sizeAtSignIn(policy) > 0)
    const { id, name, type, effect, resource } = policy
    await audit.record(tx, actor, 'policy.created', {
      resource: `policy:${id}`,
      metadata: { name, type, effect, resource },
    })
    return policy
  })
}
