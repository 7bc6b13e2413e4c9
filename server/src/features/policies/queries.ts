import type { Database } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { rejection } from './errors.js'
import type { Policy, PolicyType } from './policy-definition.js'
import { policyRepository } from './repository.js'

interface QueryDeps {
  db: Database
}

/** Returns the team's policies of one type, or all, in the order of evaluation: by descending priority, then oldest first. */
export const listPolicies = ({ db }: QueryDeps, actor: Actor, type: PolicyType | undefined): Promise<Policy[]> =>
  db.transaction((tx) => policyRepository(tx, actor.teamId).list(type))

/** @throws policy_not_found */
export const readPolicy = ({ db }: QueryDeps, actor: Actor, id: string): Promise<Policy> =>
  db.transaction(async (tx) => {
    const policy = await policyRepository(tx, actor.teamId).find(id)
    if (!policy) throw rejection('policy_not_found')
    return policy
  })
