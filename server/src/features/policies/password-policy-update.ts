import type { Actor } from '../../platform/http/actor.js'
import { teamError } from '../teams/index.js'
import type { PasswordPolicyDeps } from './password-policy-deps.js'
import { storedPasswordPolicy } from './password-policy-read.js'
import {
  type PasswordPolicyChange,
  passwordPolicyRepository,
  type TeamPasswordPolicy,
} from './password-policy-repository.js'

/**
 * Changes only what is given; what changes nothing is not recorded. It holds from the next request on, on every node; passwords that were set before stay good until
 * they are replaced, or are too old.
 * @throws organization_not_found when the team was deleted meanwhile
 */
export function updatePasswordPolicy(
  deps: PasswordPolicyDeps,
  actor: Actor,
  change: PasswordPolicyChange,
): Promise<TeamPasswordPolicy> {
  return deps.db.transaction(async (tx) => {
    const before = await storedPasswordPolicy(tx, deps, actor, { lock: true })
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
