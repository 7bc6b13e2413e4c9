import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { teamError } from '../../teams/index.js'
import type { PasswordPolicyDeps } from './deps.js'
import type { LockoutNumbers } from './password-policy.js'
import { passwordPolicyRepository, type TeamPasswordPolicy } from './repository.js'

/** Returns the lockout values of a team without stored ones. */
export const instanceLockout = ({ config: { limits } }: Pick<PasswordPolicyDeps, 'config'>): LockoutNumbers => ({
  lockoutThreshold: limits.accountFailures,
  lockoutDuration: limits.accountMinutes,
})

/**
 * Returns the policy of the caller's team. The first call stores the effective values, so that the policy has an ID and dates; no effective
 * value changes.
 * @throws organization_not_found if the team was deleted concurrently
 */
export const readPasswordPolicy = (deps: PasswordPolicyDeps, actor: Actor): Promise<TeamPasswordPolicy> =>
  deps.db.transaction((tx) => storedPasswordPolicy(tx, deps, actor))

/** Returns the password policy of the team. Runs in the caller's transaction. @param lock locks the policy until the transaction ends */
export async function storedPasswordPolicy(
  tx: Transaction,
  deps: PasswordPolicyDeps,
  actor: Actor,
  { lock = false } = {},
): Promise<TeamPasswordPolicy> {
  const repository = passwordPolicyRepository(tx, actor.teamId)
  const found = await repository.find({ lock })
  if (found) return found
  const created = await repository.create(deps.clock, instanceLockout(deps))
  if (created)
    await deps.audit.record(tx, actor, 'password_policy.created', { resource: `password_policy:${created.id}` })
  // Stored by a concurrent request.
  const policy = created ?? (await repository.find({ lock }))
  if (!policy) throw teamError('organization_not_found')
  return policy
}
