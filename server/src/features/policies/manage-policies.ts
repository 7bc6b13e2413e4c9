import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../platform/clock.js'
import type { Envelope } from '../../platform/crypto/envelope.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Database } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { PolicyId } from '../../platform/ids.js'
import type { Audit } from '../audit/index.js'
import { bumpPolicyVersion, lockOrganization } from '../teams/index.js'
import {
  changedDefinition,
  type Definition,
  newDefinition,
  type Policy,
  type PolicyType,
  sizeAtSignIn,
  type Written,
} from './policy-definition.js'
import type { PolicySets } from './policy-sets.js'
import { policyRepository } from './repository.js'

export interface PolicyDeps {
  db: Database
  clock: Clock
  audit: Audit
  envelope: Envelope
  policySets: PolicySets
}

/** Returns the team's policies of one type, or all, in the order of evaluation: by descending priority, then oldest first. */
export const listPolicies = ({ db }: PolicyDeps, actor: Actor, type: PolicyType | undefined): Promise<Policy[]> =>
  db.transaction((tx) => policyRepository(tx, actor.teamId).list(type))

/** @throws policy_not_found */
export const readPolicy = ({ db }: PolicyDeps, actor: Actor, id: string): Promise<Policy> =>
  db.transaction((tx) => policyRepository(tx, actor.teamId).find(id))

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
    await audit.record(tx, actor, 'policy.created', recordOf(policy))
    return policy
  })
}

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

/** Deletes a policy permanently. @throws policy_not_found */
export function deletePolicy({ db, audit }: PolicyDeps, actor: Actor, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    await bumpPolicyVersion(tx, actor.teamId)
    const deleted = await policyRepository(tx, actor.teamId).delete(id)
    await audit.record(tx, actor, 'policy.deleted', recordOf(deleted))
  })
}

const recordOf = ({ id, name, type, effect, resource }: Policy) => ({
  resource: `policy:${id}`,
  metadata: { name, type, effect, resource },
})
