import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../platform/http/actor.js'
import { bumpPolicyVersion } from '../organizations/index.js'
import type { PolicyDeps } from './deps.js'
import { refusal } from './errors.js'
import { changedDefinition, type Definition, type Policy, type Written } from './policy-definition.js'
import { policyRepository } from './repository.js'

/** Changes what is given and leaves the rest. @throws policy_not_found, invalid_request, limit_reached */
export function updatePolicy(
  { db, clock, audit }: PolicyDeps,
  actor: Actor,
  id: string,
  written: Written,
): Promise<Policy> {
  return db.transaction(async (tx) => {
    const repository = policyRepository(tx, actor.teamId)
    await bumpPolicyVersion(tx, actor.teamId)
    const found = await repository.find(id)
    if (!found) throw refusal('policy_not_found')

    const { id: _, organizationId, createdAt, updatedAt, ...before } = found
    const definition = changedDefinition(clock, before, written)
    const after = await repository.update(found, { ...definition, updatedAt: clock.now() })
    await repository.refuseBeyondLimits()
    const changed = Object.keys(before).filter(
      (field) => !isDeepStrictEqual(after[field as keyof Definition], found[field as keyof Definition]),
    )
    await audit.record(tx, actor, 'policy.updated', {
      resource: `policy:${after.id}`,
      metadata: { name: after.name, changed: changed.sort() },
    })
    return after
  })
}
