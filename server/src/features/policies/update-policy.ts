import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../platform/http/actor.js'
import { bumpPolicyVersion, lockOrganization } from '../teams/index.js'
import type { PolicyDeps } from './deps.js'
import { rejection } from './errors.js'
import { changedDefinition, type Definition, type Policy, sizeAtSignIn, type Written } from './policy-definition.js'
import { policyRepository } from './repository.js'

/** Fields that count towards the size limit of a team's policies. */
const SIZED: readonly string[] = ['actions', 'conditions', 'rules'] satisfies (keyof Definition)[]

/** Updates the given fields; an update that changes nothing is not recorded. @throws policy_not_found, invalid_request, limit_reached */
export function updatePolicy(
  { db, clock, audit }: PolicyDeps,
  actor: Actor,
  id: string,
  written: Written,
): Promise<Policy> {
  return db.transaction(async (tx) => {
    const repository = policyRepository(tx, actor.teamId)
    // Before the policy, in the order of every policy write.
    await lockOrganization(tx, actor.teamId)
    const found = await repository.find(id)
    if (!found) throw rejection('policy_not_found')

    const { id: _, organizationId, createdAt, updatedAt, ...before } = found
    const definition = changedDefinition(clock, before, written)
    const changed = (Object.keys(before) as (keyof Definition)[]).filter(
      (field) => !isDeepStrictEqual(definition[field], before[field]),
    )
    if (changed.length === 0) return found

    await bumpPolicyVersion(tx, actor.teamId)
    const after = await repository.update(found, { ...definition, updatedAt: clock.now() })
    const hasMoreAtSignIn = sizeAtSignIn(after) > sizeAtSignIn(found)
    if (hasMoreAtSignIn || changed.some((field) => SIZED.includes(field)))
      await repository.rejectBeyondLimits(hasMoreAtSignIn)
    await audit.record(tx, actor, 'policy.updated', {
      resource: `policy:${after.id}`,
      metadata: { name: after.name, changed: changed.sort() },
    })
    return after
  })
}
