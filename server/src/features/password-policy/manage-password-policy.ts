import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { Audit } from '../audit/index.js'
import { teamError } from '../teams/index.js'
import { type PasswordPolicyChange, passwordPolicyRepository, type TeamPasswordPolicy } from './repository.js'

export interface PasswordPolicyDeps {
  db: Database
  clock: Clock
  audit: Audit
  /** The instance's lockout limit, for teams without a stored policy. */
  config: Pick<Config, 'limits'>
}

/**
 * Returns the policy of the caller's team. The first call stores the effective values, so that the policy has an ID and dates; no effective
 * value changes.
 * @throws organization_not_found if the team was deleted concurrently
 */
export const readPasswordPolicy = (deps: PasswordPolicyDeps, actor: Actor): Promise<TeamPasswordPolicy> =>
  deps.db.transaction((tx) => findOrCreatePolicy(tx, deps, actor))

/**
 * Updates the given fields; an update that changes nothing is not recorded. The change takes effect on the next request, on every node.
 * Existing passwords stay valid until they are replaced or expire.
 * @throws organization_not_found if the team was deleted concurrently
 */
export function updatePasswordPolicy(
  deps: PasswordPolicyDeps,
  actor: Actor,
  change: PasswordPolicyChange,
): Promise<TeamPasswordPolicy> {
  return deps.db.transaction(async (tx) => {
    const before = await findOrCreatePolicy(tx, deps, actor, { lock: true })
    const fields = Object.keys(change) as (keyof PasswordPolicyChange)[]
    const changed = fields.filter((field) => change[field] !== before[field]).sort()
    if (changed.length === 0) return before
    const after = await passwordPolicyRepository(tx, actor.teamId).update(deps.clock, change)
    if (!after) throw teamError('organization_not_found')
    await deps.audit.record(tx, actor, 'password_policy.updated', {
      resource: `password_policy:${after.id}`,
      metadata: {
        changed,
        before: Object.fromEntries(changed.map((field) => [field, before[field]])),
        after: Object.fromEntries(changed.map((field) => [field, after[field]])),
      },
    })
    return after
  })
}

/**
 * Returns the team's policy. Creates and records it with the instance's defaults if there is none. Runs in the caller's transaction.
 * @param lock locks the policy until the transaction ends
 * @throws organization_not_found if the team was deleted concurrently
 */
async function findOrCreatePolicy(
  tx: Transaction,
  { clock, audit, config: { limits } }: PasswordPolicyDeps,
  actor: Actor,
  { lock = false } = {},
): Promise<TeamPasswordPolicy> {
  const repository = passwordPolicyRepository(tx, actor.teamId)
  const found = await repository.find({ lock })
  if (found) return found
  const lockout = { lockoutThreshold: limits.accountFailures, lockoutDuration: limits.accountMinutes }
  const created = await repository.create(clock, lockout)
  if (created) await audit.record(tx, actor, 'password_policy.created', { resource: `password_policy:${created.id}` })
  // Stored by a concurrent request.
  const policy = created ?? (await repository.find({ lock }))
  if (!policy) throw teamError('organization_not_found')
  return policy
}
