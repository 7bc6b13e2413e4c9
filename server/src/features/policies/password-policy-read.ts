import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { teamError } from '../teams/index.js'
import type { LockoutNumbers } from './password-policy.js'
import type { PasswordPolicyDeps } from './password-policy-deps.js'
import { passwordPolicyRepository, type TeamPasswordPolicy } from './password-policy-repository.js'

/** What holds for a team that has stored nothing. */
export const instanceLockout = ({ config: { limits } }: Pick<PasswordPolicyDeps, 'config'>): LockoutNumbers => ({
  lockoutThreshold: limits.accountFailures,
  lockoutDuration: limits.accountMinutes,
})

/**
 * The policy of the caller's team. The first question stores what has held so far, so that it has an id and dates; nothing
 * that holds changes by it.
 * @throws organization_not_found when the team was deleted meanwhile
 */
export const readPasswordPolicy = (deps: PasswordPolicyDeps, actor: Actor): Promise<TeamPasswordPolicy> =>
  deps.db.transaction((tx) => storedPasswordPolicy(tx, deps, actor))

/** A step. @param lock against another change, until the transaction ends */
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
  // Somebody else stored it at the same moment.
  const policy = created ?? (await repository.find({ lock }))
  if (!policy) throw teamError('organization_not_found')
  return policy
}
